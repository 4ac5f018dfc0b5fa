import type { Answering } from '../../../src/modules/chat/answering/index.ts'
import type { Language } from '../../../src/platform/contract/languages.ts'
import type { OrgId } from '../../../src/platform/ids/index.ts'
import { toAsked } from '../evaluate.ts'
import type { Documentation } from './documentation.ts'
import type { RealQuestion } from './sets/question.ts'

export interface RealOutcome {
  question: RealQuestion
  isAnswered: boolean
  /** The key of the article cited first. */
  article: string | undefined
  isRightArticle: boolean
  /** Whether the answer, or the passage that its first source shows, has the fact. */
  hasFact: boolean
  /** Whether "I don't know" was said, with a link to a right article. */
  isLinked: boolean
  text: string
}

export async function evaluateReal(
  answering: Answering,
  orgId: OrgId,
  { keys }: Documentation,
  language: Language,
  question: RealQuestion,
): Promise<RealOutcome> {
  const asked = toAsked(orgId, { language, text: question.text, after: [] })
  const { text, citations, nearest, isAnswered } = await answering.ask(asked, { signal: new AbortController().signal })
  const article = keys.get((citations[0] ?? nearest[0])?.article_id ?? '')
  const isRightArticle = isAnswered && article !== undefined && question.articles.includes(article)
  const isLinked = !isAnswered && nearest.some((each) => question.articles.includes(keys.get(each.article_id) ?? ''))
  const shown = `${text}\n\n${citations[0]?.snippet ?? ''}`
  const hasFact = isAnswered && hasAny(shown, question.facts)
  return { question, isAnswered, article, isRightArticle, hasFact, isLinked, text }
}

/** Throws if a set does not say what a question expects of it: it may have changed since. */
export function requireFacts(questions: readonly RealQuestion[], { contents }: Documentation): void {
  const outdated = questions.flatMap(({ text, articles, facts }) =>
    articles
      .filter((article) => !hasAny(contents.get(article) ?? '', facts))
      .map(
        (article) =>
          `"${text}": "${facts.join('" or "')}" is not in ${contents.has(article) ? '' : 'the missing article '}${article}`,
      ),
  )
  if (outdated.length > 0) throw new Error(`The documentation has changed:\n${outdated.join('\n')}`)
}

const hasAny = (markdown: string, facts: readonly string[]): boolean =>
  facts.some((fact) => bare(markdown).includes(bare(fact)))

/** Text as a visitor reads it. */
const bare = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^[\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replaceAll(/[`*_\\>]/g, '')
    .replaceAll(/[|\s]+/g, ' ')
    .toLowerCase()
