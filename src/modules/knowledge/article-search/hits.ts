import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { nearestOf } from '../../../platform/text/negotiate-language.ts'
import { type PathCategory, selectPaths } from './category-queries.ts'
import { excerptOf, markMatches } from './full-text/excerpt.ts'
import { tokenize } from './full-text/tokens.ts'
import { selectMatching } from './match-queries.ts'
import { type ShownText, selectShown } from './queries.ts'
import { findingWords, type PreparedQuery, type RankedText } from './rank.ts'
import { type Closeness, closenessScore } from './score.ts'

export interface Hit {
  article_id: string
  language: string
  title: string
  /** Escaped HTML with matches in `<mark>`, like `snippet`. */
  marked_title: string
  snippet: string
  score: number
  slug: string
  /** Null unless everyone may read the article. */
  public_slug: string | null
  /** From the root. */
  category_path: { id: string; name: string }[]
  /** The words of the query that the text does not have, as they were typed. */
  missing_words: string[]
}

/** A ranked text with what is shown of it. */
interface ReadText extends RankedText, ShownText {
  snippet: string
  /** How well the title and the excerpt match each word. */
  fits: readonly number[]
  /** What this adds to the score. */
  closeness: number
}

const SNIPPET_LENGTH = 160
/** Nearly every text has a match within its first characters. A few of the others are read further. */
const FIRST_LENGTH = 20_000
const REST_LENGTH = 500_000
const READ_FURTHER_MAX = 2
/** Takes at most about 200 ms. Hits that have no excerpt by then show how their text begins. */
const TOKENS_MAX = 300_000
/** A tree of categories may be thousands of levels deep. */
const PATH_LEVELS_MAX = 20

/** Reads the current titles and texts of matches, and how close the words are in them. */
export async function readTexts(
  db: Db,
  orgId: OrgId,
  query: PreparedQuery,
  ranked: readonly RankedText[],
): Promise<ReadText[]> {
  if (ranked.length === 0) return []
  const ids = ranked.map(({ id }) => id)
  const shown = new Map((await selectShown(db, orgId, ids, 1, FIRST_LENGTH)).map((text) => [text.id, text]))
  const texts = ranked.flatMap((each) => {
    const text = shown.get(each.id)
    return text === undefined ? [] : [{ ...each, ...text }]
  })
  const excerpts = await findExcerpts(db, orgId, query, texts)
  return texts.map((text): ReadText => {
    const { snippet = '', closeness = { near: new Set<number>(), fits: [] } } = excerpts.get(text.id) ?? {}
    return { ...text, snippet, fits: closeness.fits, closeness: closenessScore(closeness, query.words) }
  })
}

export async function toHits(db: Db, orgId: OrgId, query: PreparedQuery, page: readonly ReadText[]): Promise<Hit[]> {
  const pathOf = await readPaths(db, orgId, page)
  const missingOf = await findMissing(db, orgId, query, page)
  return page.map((text) => ({
    article_id: text.article_id,
    language: text.language,
    title: text.title,
    marked_title: markMatches(text.title, query.matcherOf(text.language)),
    snippet: text.snippet,
    score: text.score,
    slug: text.slug,
    public_slug: text.is_published && text.visibility === 'public' ? text.public_slug : null,
    category_path: pathOf(text),
    missing_words: missingOf(text),
  }))
}

interface TextExcerpt {
  snippet: string
  closeness: Closeness
}

/** Returns the excerpts by text. */
async function findExcerpts(
  db: Db,
  orgId: OrgId,
  { words, matcherOf }: PreparedQuery,
  texts: readonly (RankedText & ShownText)[],
): Promise<Map<number, TextExcerpt>> {
  const allowance = { tokensLeft: TOKENS_MAX }
  const finding = findingWords(words)
  const excerpt = async (title: string, text: string, language: string, wordCount: number) => {
    const matcher = matcherOf(language)
    const found = await excerptOf(text, matcher, wordCount, SNIPPET_LENGTH, allowance)
    const collected = matcher.collect()
    for (const part of [title, found.text]) {
      for (const token of tokenize(part, matcher.withSingles)) collected.add(token.text)
    }
    return { ...found, closeness: { near: found.words, fits: collected.fits } }
  }
  const excerpts = new Map<number, TextExcerpt>()
  /** The languages of the texts to read further. */
  const unfinished = new Map<number, string>()
  for (const { id, title, language, plain, hasAll } of texts) {
    // A passage with all words that the text has is the best one.
    const present = finding.filter(({ list, isFrequent }) => hasAll || isFrequent || list.has(id)).length
    const { markup, hasMatch, closeness } = await excerpt(title, plain, language, Math.max(1, present))
    excerpts.set(id, { snippet: markup, closeness })
    if (!hasMatch && plain.length >= FIRST_LENGTH && unfinished.size < READ_FURTHER_MAX) unfinished.set(id, language)
  }
  if (unfinished.size === 0) return excerpts
  const rest = await selectShown(db, orgId, [...unfinished.keys()], FIRST_LENGTH - SNIPPET_LENGTH, REST_LENGTH)
  for (const { id, title, plain } of rest) {
    const { markup, hasMatch, closeness } = await excerpt(title, plain, unfinished.get(id) ?? '', finding.length)
    if (hasMatch) excerpts.set(id, { snippet: markup, closeness })
  }
  return excerpts
}

async function readPaths(
  db: Db,
  orgId: OrgId,
  texts: readonly ReadText[],
): Promise<(text: ReadText) => Hit['category_path']> {
  const ids = new Set(texts.map(({ category_id }) => category_id).filter((id) => id !== null))
  const categories = new Map((await selectPaths(db, orgId, [...ids], PATH_LEVELS_MAX)).map((each) => [each.id, each]))
  return ({ category_id, language }) => {
    const path: PathCategory[] = []
    let category = categories.get(category_id ?? '')
    while (category !== undefined && path.length < PATH_LEVELS_MAX) {
      path.unshift(category)
      category = categories.get(category.parent_id ?? '')
    }
    return path.map(({ id, name, translations }) => ({ id, name: inLanguage(translations, language) ?? name }))
  }
}

function inLanguage(translations: PathCategory['translations'], language: string): string | undefined {
  const nearest = nearestOf(language, Object.keys(translations))
  return nearest === undefined ? undefined : translations[nearest]?.name
}

/** Returns a function that tells which words a text does not have. */
async function findMissing(
  db: Db,
  orgId: OrgId,
  { words, leftOut, expressions }: PreparedQuery,
  texts: readonly ReadText[],
): Promise<(text: ReadText) => string[]> {
  const finding = findingWords(words)
  const isListed = (word: number, { id, hasAll, fits }: ReadText) =>
    hasAll || finding[word]?.list.has(id) === true || (fits[word] ?? 0) > 0
  // The list of a frequent word is not complete.
  const frequent = new Map<number, Set<number>>()
  for (const [n, word] of finding.entries()) {
    if (!word.isFrequent) continue
    const unsure = texts.filter((text) => !isListed(n, text)).map(({ id }) => id)
    frequent.set(n, await selectMatching(db, orgId, expressions.any(word.variants), unsure))
  }
  return (text) => {
    const present = new Set<string>()
    for (const [n, { typed }] of finding.entries()) {
      if (isListed(n, text) || frequent.get(n)?.has(text.id) === true) present.add(typed)
    }
    const typed = new Set(finding.map((word) => word.typed))
    return [...leftOut, ...[...typed].filter((each) => !present.has(each))]
  }
}
