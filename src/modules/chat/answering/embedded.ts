import type { Answer, AskedQuestion, Citation, NearestArticle } from './answer.ts'
import type { Answerer, AnswerOptions } from './answerer.ts'
import { CONFIDENCE_MIN } from './retrieval/confidence.ts'
import type { Passage, Retrieved } from './retrieval/retrieve.ts'
import { toMarkdownText } from './safe-markdown.ts'
import { toShortAnswer } from './short-answer.ts'
import { TEXTS } from './texts.ts'

/** The name of the embedded answerer in answers. */
export const EMBEDDED = 'embedded'
const CREDITS = 1
/** Visitors read it to see more of the article than the short answer. */
const SNIPPET_LENGTH = 700
const CITED_MAX = 3
/** Another passage is worth citing if it says nearly as much as the best one. */
const CITED_SCORE_SHARE = 0.7
const NEAREST_MAX = 3

/** Answers with the words of the articles themselves. Needs no model and no network. */
export function createEmbeddedAnswerer(): Answerer {
  return {
    creditsOf: () => CREDITS,
    async answer(question, retrieved, { onText }): Promise<Answer> {
      const answer = compose(retrieved, question.bot.humanSupport)
      onText?.(answer.text)
      return answer
    },
  }
}

function compose(retrieved: Retrieved, hasHumanSupport: boolean): Answer {
  const { passages, confidence, language, corrected, weigh } = retrieved
  const [best] = passages
  const common = { model: EMBEDDED, credits: CREDITS, language }
  const texts = TEXTS[language]
  if (best === undefined || confidence < CONFIDENCE_MIN) {
    return { ...common, ...withoutAnswer(texts.dontKnow, retrieved, hasHumanSupport) }
  }
  const others = passages
    .slice(1)
    .filter(({ score, articleId }) => score >= CITED_SCORE_SHARE * best.score && articleId !== best.articleId)
  const further = firstOfEach(others).slice(0, CITED_MAX - 1)
  const citations = [best, ...further].map(toCitation)
  const short = toShortAnswer(best, weigh)
  const answer = { ...common, citations, isAnswered: true, nearest: [] }
  if (corrected === undefined) return { ...answer, text: short }
  const asked = texts.didYouMean.replace('{question}', () => toMarkdownText(corrected))
  return { ...answer, text: `${asked}\n\n${short}`, correctedQuestion: corrected }
}

/** Says that the bot cannot answer now, and what may help instead. Costs nothing. */
export function refer({ bot }: AskedQuestion, retrieved: Retrieved, { onText }: Pick<AnswerOptions, 'onText'>): Answer {
  const { language } = retrieved
  const referral = withoutAnswer(TEXTS[language].notNow, retrieved, bot.humanSupport)
  onText?.(referral.text)
  return { ...referral, model: EMBEDDED, credits: 0, language, isLimited: true }
}

function withoutAnswer(opening: string, { passages, language }: Retrieved, hasHumanSupport: boolean) {
  const texts = TEXTS[language]
  const nearest = nearestOf(passages)
  const lines = [
    opening,
    nearest.length > 0 && `${texts.nearest}\n\n${nearest.map((article) => `- ${toLink(article)}`).join('\n')}`,
    hasHumanSupport && texts.askPerson,
  ]
  return { text: lines.filter(Boolean).join('\n\n'), citations: [], isAnswered: false, nearest }
}

/** Returns the best passage of each article. */
const firstOfEach = (passages: readonly Passage[]): Passage[] =>
  passages.filter(({ articleId }, at) => passages.findIndex((other) => other.articleId === articleId) === at)

const nearestOf = (passages: readonly Passage[]): NearestArticle[] =>
  firstOfEach(passages.filter(({ isRelated }) => isRelated))
    .slice(0, NEAREST_MAX)
    .map(({ articleId, title, url }) => ({ article_id: articleId, title, url }))

/** Addresses are our own and contain nothing to escape. */
const toLink = ({ title, url }: { title: string; url: string }): string =>
  url === '' ? `**${toMarkdownText(title)}**` : `[${toMarkdownText(title)}](${url})`

export const toCitation = ({ articleId, versionNumber, title, url, plain }: Passage): Citation => ({
  article_id: articleId,
  version_number: versionNumber,
  title,
  url,
  snippet: snippetOf(plain),
})

/** Returns the beginning of a text, cut between words where there are spaces. */
function snippetOf(plain: string): string {
  if (plain.length <= SNIPPET_LENGTH) return plain
  const cut = plain.slice(0, SNIPPET_LENGTH - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > SNIPPET_LENGTH / 2 ? cut.slice(0, space) : cut).toWellFormed()}…`
}
