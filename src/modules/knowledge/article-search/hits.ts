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
/** Nearly every text has a match within its first characters. Only the others are read further, up to this length. */
const FIRST_LENGTH = 20_000
const REST_LENGTH = 500_000

/** Reads the current titles and texts of matches, and marks the words of the query in them. */
export async function toHits(db: Db, orgId: OrgId, query: PreparedQuery, page: readonly RankedText[]): Promise<Hit[]> {
  if (page.length === 0) return []
  const ids = page.map(({ id }) => id)
  const texts = new Map((await selectShown(db, orgId, ids, 1, FIRST_LENGTH)).map((text) => [text.id, text]))
  const hits: Hit[] = []
  for (const { id, article_id, language, score } of page) {
    const text = texts.get(id)
    if (text === undefined) continue
    const { title, slug, visibility, public_slug, is_published } = text
    hits.push({
      article_id,
      language,
      title,
      marked_title: markMatches(title, query.matcherOf(language)),
      snippet: await snippetOf(db, orgId, query, language, text),
      score,
      slug,
      public_slug: is_published && visibility === 'public' ? public_slug : null,
    })
  }
  return hits
}

async function snippetOf(
  db: Db,
  orgId: OrgId,
  { words, matcherOf }: PreparedQuery,
  language: string,
  { id, plain }: ShownText,
): Promise<string> {
  const excerpt = (text: string) => excerptOf(text, matcherOf(language), words.length, SNIPPET_LENGTH)
  const first = excerpt(plain)
  if (first.hasMatch || plain.length < FIRST_LENGTH) return first.markup
  const [rest] = await selectShown(db, orgId, [id], FIRST_LENGTH - SNIPPET_LENGTH, REST_LENGTH)
  const further = rest && excerpt(rest.plain)
  return further?.hasMatch ? further.markup : first.markup
}
