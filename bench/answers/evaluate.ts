import type { Answering, AskedQuestion } from '../../src/modules/chat/answering/index.ts'
import { retrieve } from '../../src/modules/chat/answering/index.ts'
import type { Db } from '../../src/platform/db/index.ts'
import type { OrgId } from '../../src/platform/ids/index.ts'
import { PUBLIC_URL } from './fill.ts'
import type { EvaluatedQuestion } from './questions.ts'

export interface EvaluatedAnswer {
  question: EvaluatedQuestion
  isAnswered: boolean
  /** The key of the article cited first, or of the nearest one. */
  article: string | undefined
  isRightArticle: boolean
  isRightPassage: boolean
  confidence: number
  text: string
}

export const toAsked = (
  orgId: OrgId,
  { language, text, after }: Pick<EvaluatedQuestion, 'language' | 'text' | 'after'>,
): AskedQuestion => ({
  bot: {
    id: orgId,
    orgId,
    name: 'Acme',
    model: null,
    systemPrompt: null,
    tone: null,
    articleIds: [],
    categoryIds: [],
    knowledgeBaseIds: [],
    humanSupport: true,
  },
  text,
  language,
  history: after.map((question) => ({ role: 'user', text: question })),
  facts: new Map(),
})

/** Asks a question. An answer counts only if it is given: the right article below "I don't know" does not. */
export async function evaluate(
  db: Db,
  answering: Answering,
  orgId: OrgId,
  keys: ReadonlyMap<string, string>,
  question: EvaluatedQuestion,
): Promise<EvaluatedAnswer> {
  const asked = toAsked(orgId, question)
  const answer = await answering.ask(asked, { signal: new AbortController().signal })
  const { passages, confidence } = await retrieve(db, PUBLIC_URL, asked)
  const [first] = passages
  const article = keys.get((answer.citations[0] ?? answer.nearest[0])?.article_id ?? '')
  const isRightArticle = answer.isAnswered && article === question.article
  const shown = first === undefined ? '' : [...first.headings, first.plain].join('\n')
  return {
    question,
    isAnswered: answer.isAnswered,
    article,
    isRightArticle,
    isRightPassage: isRightArticle && shown.includes(question.passage),
    confidence,
    text: answer.text,
  }
}
