import type { ContentLanguage, Language } from '../../../../platform/contract/languages.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { interfaceLanguageFor } from '../../../../platform/text/interface-language.ts'
import { isFunctionWord, selectLanguages, stem, tokenize } from '../../../knowledge/article-search/index.ts'
import { type PassageScope, type ShownPassage, selectShown, selectSubtrees } from '../../../knowledge/passages/index.ts'
import { articlePath, centrePath } from '../../../knowledge/public-articles/index.ts'
import type { AnsweringBot, AskedQuestion } from '../answer.ts'
import { CONFIDENCE_MIN, confidenceOf, isRelated } from './confidence.ts'
import { correctedQuestion } from './corrected-question.ts'
import { detectLanguage } from './detect-language.ts'
import { type FindSimilar, mixByRank } from './mix-by-rank.ts'
import type { ScoredPassage } from './score.ts'
import { type SearchedPassages, searchPassages } from './search-passages.ts'
import { toTranslations } from './translations.ts'

/** A piece of an article's text in one language, found for a question. */
export interface Passage {
  /** The id in the index. Changes when the text is indexed again. */
  id: number
  articleId: string
  versionNumber: number
  language: ContentLanguage
  title: string
  /** Above the passage, outermost first. Without the title. */
  headings: string[]
  markdown: string
  plain: string
  /** Empty unless everyone may read the article in a help centre. */
  url: string
  score: number
  /** Whether it may help somebody whose question it does not answer. */
  isRelated: boolean
}

export interface Retrieved {
  /** Best first, at most `PASSAGES_MAX`. Only what the bot may see. */
  passages: Passage[]
  /** How likely the first passage answers the question, from 0 to 1. Below `CONFIDENCE_MIN`, it does not. */
  confidence: number
  /** The language of the answer: that of the visitor, if known. */
  language: Language
  /** The question without its misspelt words, if the first passage was found so. */
  corrected: string | undefined
  /** Returns the share of the question that a piece of text in this language has. */
  weigh(text: string, language: ContentLanguage): number
}

const PASSAGES_MAX = 6
/** More than a knowledge base has. */
const CATEGORIES_MAX = 2000

/**
 * Finds the passages that may answer a question: in the visitor's language first, then in all others. A passage that is
 * found in another language is replaced by its translation, if there is one.
 */
export async function retrieve(
  db: Db,
  publicUrl: string,
  question: AskedQuestion,
  findSimilar?: FindSimilar,
): Promise<Retrieved> {
  const { bot, text } = question
  const similar = findSimilar?.(bot.orgId, text)
  const detected = detectLanguage(text)
  const [scope, available] = await Promise.all([toScope(db, bot), selectLanguages(db, bot.orgId)])
  const understood = [question.language, detected]
  const isSpoken = (language: ContentLanguage) =>
    understood.some((one) => one !== undefined && one === interfaceLanguageFor(language))
  const { spoken = [], others = [] } = Object.groupBy(available, (tag) => (isSpoken(tag) ? 'spoken' : 'others'))
  const search = async (languages: readonly ContentLanguage[], isCorrecting: boolean) => {
    const found = await searchPassages(db, question, languages, scope, isCorrecting)
    return { ...found, confidence: confidenceOf(found.passages) }
  }
  let found = await search(spoken.length > 0 ? spoken : others, true)
  if (found.confidence < CONFIDENCE_MIN && spoken.length > 0 && others.length > 0) {
    const elsewhere = await search(others, false)
    if (elsewhere.confidence > found.confidence) found = elsewhere
  }
  const language = question.language ?? detected ?? interfaceLanguageFor(found.passages[0]?.language ?? 'en') ?? 'en'
  const mixed = similar === undefined ? found.passages : await mixByRank(db, bot.orgId, found, await similar, scope)
  const best = mixed.slice(0, PASSAGES_MAX)
  const translated = await toTranslations(db, bot.orgId, best, language)
  const shown = new Map(
    (
      await selectShown(
        db,
        bot.orgId,
        translated.map(({ id }) => id),
        scope,
      )
    ).map((passage) => [passage.id, passage]),
  )
  const passages = translated.flatMap((found) => {
    const passage = shown.get(found.id)
    return passage === undefined ? [] : [toPassage(passage, publicUrl, found.score, isRelated(found))]
  })
  return {
    passages,
    confidence: found.confidence,
    language,
    corrected: correct(text, found, best[0], passages[0]),
    weigh: toWeigh(found),
  }
}

/** Undefined if only words were misspelt that say little. */
function correct(
  question: string,
  { scorers, meantWords }: SearchedPassages,
  best: ScoredPassage | undefined,
  shown: Passage | undefined,
): string | undefined {
  const words = best && scorers.get(best.language)?.spellings(best)
  if (words === undefined || words.size === 0 || shown === undefined) return undefined
  const { title, headings, plain } = shown
  return correctedQuestion(question, new Map([...meantWords, ...words]), [plain, ...headings, title].join('\n'))
}

/** A category includes its subtree. */
async function toScope(db: Db, bot: AnsweringBot): Promise<PassageScope> {
  const { orgId, articleIds, categoryIds, knowledgeBaseIds } = bot
  if (categoryIds.length === 0) return { articleIds, categoryIds, knowledgeBaseIds }
  const within = await selectSubtrees(db, orgId, categoryIds, CATEGORIES_MAX)
  // Categories that are gone must not widen the scope to everything.
  return { articleIds, categoryIds: [...categoryIds, ...within], knowledgeBaseIds }
}

function toWeigh({ scorers }: SearchedPassages): Retrieved['weigh'] {
  return (text, language) => {
    const words: string[] = []
    for (const token of tokenize(text, true)) {
      if (isFunctionWord(token.text, language)) continue
      words.push(token.isGram ? token.text : stem(token.text, language))
    }
    return scorers.get(language)?.weigh(words) ?? 0
  }
}

function toPassage(shown: ShownPassage, publicUrl: string, score: number, related: boolean): Passage {
  const { id, article_id, version_number, title, headings, markdown, plain, slug, public_slug } = shown
  const { language } = shown
  const isPublic = shown.is_published && shown.visibility === 'public'
  return {
    id,
    articleId: article_id,
    versionNumber: version_number,
    language,
    title,
    headings: JSON.parse(headings) as string[],
    markdown,
    plain,
    url: isPublic ? articlePath(publicUrl + centrePath(public_slug), slug, language) : '',
    score: Math.round(score * 1000) / 1000,
    isRelated: related,
  }
}
