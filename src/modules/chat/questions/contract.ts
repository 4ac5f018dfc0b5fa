import { z } from 'zod'
import { choice, cursorQuery, field, operations } from '../../../platform/contract/index.ts'
import { ContentLanguage } from '../../../platform/contract/languages.ts'

/** Limits stored questions, which may be shorter than what the visitor wrote. */
export const QUESTION_LENGTH_MAX = 500

const count = (description: string, example: number) => z.int().meta({ description, examples: [example] })

const question = field.text(0, QUESTION_LENGTH_MAX).meta({ examples: ['How do I clean the filter?'] })

const Example = z
  .object({
    question,
    count: count('How many visitors put it this way.', 7),
    conversation_id: field.id.nullable().describe('The last conversation. Null for a question through the API.'),
    message_id: field.id
      .nullable()
      .describe('The message in that conversation: the question, or the answer that did not help.'),
    last_asked_at: field.timestamp,
  })
  .meta({ id: 'UnansweredExample', description: 'A way in which visitors put a question.' })

const Comment = z
  .object({
    text: field.text(1, QUESTION_LENGTH_MAX).meta({ examples: ['Which oil, and how much of it?'] }),
    created_at: field.timestamp,
  })
  .meta({ id: 'ArticleComment', description: 'What a reader says was missing in an article.' })

export const UnansweredGroup = z
  .object({
    object: z.literal('unanswered_group'),
    id: field.id,
    kind: choice({
      question: 'What visitors asked a chatbot.',
      article: 'An article that did not help its readers.',
    }).meta({ examples: ['question'] }),
    chatbot_id: field.id.nullable().describe('The chatbot that was asked, which may be deleted. Null for an article.'),
    article_id: field.id.nullable().meta({ description: 'Null for a question.', examples: [null] }),
    language: ContentLanguage,
    question: question.describe('The most frequent way to put the question, or the title of the article.'),
    count: count(
      'How many visitors were left without help: the chatbot did not know, its answer did not help, or the article did not.',
      12,
    ),
    not_helpful_count: count('How many said that the answer or the article did not help.', 3),
    helpful_count: count('How many said that the answer or the article helped.', 1),
    examples: z
      .array(Example)
      .max(5)
      .describe('Up to five ways in which visitors put the question. Empty for an article.'),
    comments: z
      .array(Comment)
      .max(5)
      .describe('The last five answers of readers to what was missing in the article. Empty for a question.'),
    first_asked_at: field.timestamp,
    last_asked_at: field.timestamp.describe('When a visitor was last left without help.'),
  })
  .meta({ id: 'UnansweredGroup', description: 'Questions with the same meaning that lack a helpful answer.' })
export type UnansweredGroup = z.infer<typeof UnansweredGroup>

const query = cursorQuery({
  sort: choice({ recent: 'Last asked first.', count: 'Most visitors first.' })
    .default('recent')
    .describe('The order of the list.'),
  language: ContentLanguage.optional().describe('Only groups in this language.'),
  since: field.timestamp.optional().describe('Only groups that were asked at or after this time.'),
})
export type ListQuery = z.output<typeof query>

export const unanswered = operations(
  {
    name: 'unanswered',
    noun: 'unanswered-questions',
    title: 'Unanswered questions',
    about:
      'What to write next: questions that your chatbots could not answer, answers that did not help, and articles of your help centre that did not help. Questions with the same meaning are one group. A group that nobody asked about for 400 days is deleted.',
    area: 'chatbots',
  },
  {
    list: {
      method: 'GET',
      path: '/unanswered',
      summary: 'List unanswered questions of all chatbots, and articles that do not help',
      description: 'Last asked first, or most frequent first with `sort=count`.',
      query,
      cursor: UnansweredGroup,
      hasOutsideText: true,
    },
    delete: {
      method: 'DELETE',
      path: '/unanswered/{id}',
      summary: 'Mark a group as done',
      description: 'Deletes the group. If a visitor asks again, a new group begins.',
    },
    listOfChatbot: {
      method: 'GET',
      path: '/chatbots/{id}/unanswered',
      summary: 'List unanswered questions of a chatbot',
      description:
        'Last asked first, or most frequent first with `sort=count`. Also has the articles that the chatbot may use and that do not help.',
      query,
      cursor: UnansweredGroup,
      hasOutsideText: true,
    },
    deleteOfChatbot: {
      method: 'DELETE',
      path: '/chatbots/{id}/unanswered/{group_id}',
      summary: 'Mark a group of a chatbot as done',
      description: 'Deletes the group. If a visitor asks again, a new group begins.',
    },
  },
)
