import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { nearestOf } from '../../../../platform/text/negotiate-language.ts'
import { excerptOf, markMatches } from '../full-text/excerpt.ts'
import { type Token, tokenize } from '../full-text/tokens.ts'
import { type NamedCategory, selectPaths } from './category-queries.ts'
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
  /** The path begins at the root. */
  category_path: { id: string; name: string }[]
  /** The words of the query that the text does not have, as they were typed. */
  missing_words: string[]
}

/** A ranked text with what is shown of it. */
export interface ReadText extends RankedText, ShownText {
  snippet: string
  /** What the closeness of the words adds to the score. */
  closeness: number
  /** How well each word is matched in what was read. */
  seen: readonly number[]
  /** Whether all of it was read. */
  isReadToEnd: boolean
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
    const excerpt = excerpts.get(text.id) as TextExcerpt
    return { ...text, ...excerpt, closeness: closenessScore(excerpt.closeness, query.words) }
  })
}

export async function toHits(db: Db, orgId: OrgId, query: PreparedQuery, page: readonly ReadText[]): Promise<Hit[]> {
  const pathOf = await readPaths(db, orgId, page)
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
    missing_words: missingWords(query, text),
  }))
}

interface TextExcerpt extends Pick<ReadText, 'snippet' | 'seen' | 'isReadToEnd'> {
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
    const collect = (...parts: string[]) => {
      const collected = matcher.collect()
      for (const part of parts) for (const token of tokenize(part, matcher.withSingles)) collected.add(token.text)
      return collected
    }
    const seen = collect(title)
    const seeing = { match: (token: Token) => seen.add(token.text), withSingles: matcher.withSingles }
    const found = await excerptOf(text, seeing, wordCount, SNIPPET_LENGTH, allowance)
    const { fits } = collect(title, found.text)
    const { markup, words, hasMatch, isReadToEnd } = found
    return { hasMatch, isReadToEnd, snippet: markup, closeness: { near: words, fits }, seen: seen.fits }
  }
  const excerpts = new Map<number, TextExcerpt>()
  /** The languages of the texts to read further. */
  const unfinished = new Map<number, string>()
  for (const { id, title, language, plain, hasAll } of texts) {
    // A passage with all words that the text has is the best one.
    const present = finding.filter(({ list, isFrequent }) => hasAll || isFrequent || list.has(id)).length
    const found = await excerpt(title, plain, language, Math.max(1, present))
    const isReadToEnd = plain.length < FIRST_LENGTH && found.isReadToEnd
    excerpts.set(id, { ...found, isReadToEnd })
    if (!found.hasMatch && plain.length >= FIRST_LENGTH && unfinished.size < READ_FURTHER_MAX)
      unfinished.set(id, language)
  }
  if (unfinished.size === 0) return excerpts
  const rest = await selectShown(db, orgId, [...unfinished.keys()], FIRST_LENGTH - SNIPPET_LENGTH, REST_LENGTH)
  for (const { id, title, plain } of rest) {
    const found = await excerpt(title, plain, unfinished.get(id) ?? '', finding.length)
    if (found.hasMatch) excerpts.set(id, { ...found, isReadToEnd: false })
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
    const path: NamedCategory[] = []
    let category = categories.get(category_id ?? '')
    while (category !== undefined && path.length < PATH_LEVELS_MAX) {
      path.unshift(category)
      category = categories.get(category.parent_id ?? '')
    }
    return path.map(({ id, name, names }) => ({
      id,
      name: names[nearestOf(language, Object.keys(names)) ?? ''] ?? name,
    }))
  }
}

/** Returns the words that the text does not have. */
function missingWords({ words, leftOut }: PreparedQuery, { id, hasAll, seen, isReadToEnd }: ReadText): string[] {
  const present = new Set<string>()
  const typed = new Set<string>()
  for (const [n, word] of findingWords(words).entries()) {
    typed.add(word.typed)
    // The list of a frequent word is not complete. A long text that was not read to the end probably has it.
    const mayHave = word.isFrequent && !isReadToEnd
    if (hasAll || word.list.has(id) || (seen[n] ?? 0) > 0 || mayHave) present.add(word.typed)
  }
  return [...leftOut, ...[...typed].filter((each) => !present.has(each))]
}
