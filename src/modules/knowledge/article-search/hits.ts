import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { excerptOf, markMatches } from './full-text/excerpt.ts'
import { type ShownText, selectShown } from './queries.ts'
import type { PreparedQuery, RankedText } from './rank.ts'

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
}

const SNIPPET_LENGTH = 160
/** Nearly every text has a match within its first characters. A few of the others are read further. */
const FIRST_LENGTH = 20_000
const REST_LENGTH = 500_000
const READ_FURTHER_MAX = 2
/** Takes at most about 200 ms. Hits that have no excerpt by then show how their text begins. */
const TOKENS_MAX = 300_000

/** Reads the current titles and texts of matches, and marks the words of the query in them. */
export async function toHits(db: Db, orgId: OrgId, query: PreparedQuery, page: readonly RankedText[]): Promise<Hit[]> {
  if (page.length === 0) return []
  const ids = page.map(({ id }) => id)
  const shown = new Map((await selectShown(db, orgId, ids, 1, FIRST_LENGTH)).map((text) => [text.id, text]))
  const texts = page.flatMap((ranked) => {
    const text = shown.get(ranked.id)
    return text === undefined ? [] : [{ ...ranked, ...text }]
  })
  const snippets = await findSnippets(db, orgId, query, texts)
  return texts.map(({ id, article_id, language, title, score, slug, visibility, public_slug, is_published }) => ({
    article_id,
    language,
    title,
    marked_title: markMatches(title, query.matcherOf(language)),
    snippet: snippets.get(id) ?? '',
    score,
    slug,
    public_slug: is_published && visibility === 'public' ? public_slug : null,
  }))
}

/** Returns the snippets by text. */
async function findSnippets(
  db: Db,
  orgId: OrgId,
  { words, matcherOf }: PreparedQuery,
  texts: readonly (ShownText & { language: string })[],
): Promise<Map<number, string>> {
  const allowance = { tokensLeft: TOKENS_MAX }
  const excerpt = (text: string, language: string) =>
    excerptOf(text, matcherOf(language), words.length, SNIPPET_LENGTH, allowance)
  const snippets = new Map<number, string>()
  /** The languages of the texts to read further. */
  const unfinished = new Map<number, string>()
  for (const { id, language, plain } of texts) {
    const { markup, hasMatch } = await excerpt(plain, language)
    snippets.set(id, markup)
    if (!hasMatch && plain.length >= FIRST_LENGTH && unfinished.size < READ_FURTHER_MAX) unfinished.set(id, language)
  }
  if (unfinished.size === 0) return snippets
  const rest = await selectShown(db, orgId, [...unfinished.keys()], FIRST_LENGTH - SNIPPET_LENGTH, REST_LENGTH)
  for (const { id, plain } of rest) {
    const { markup, hasMatch } = await excerpt(plain, unfinished.get(id) ?? '')
    if (hasMatch) snippets.set(id, markup)
  }
  return snippets
}
