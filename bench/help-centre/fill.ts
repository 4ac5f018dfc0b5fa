import { sql } from 'kysely'
import { timestamp } from '../../src/platform/clock/index.ts'
import { type Database, sortKey, type Tx } from '../../src/platform/db/index.ts'
import { type DatabaseLocation, openDatabase } from '../../src/platform/db/open.ts'
import { newId, type OrgId } from '../../src/platform/ids/index.ts'
import { insertTestRows } from '../../src/testing/engines/insert-test-rows.ts'
import { whole } from '../support/table.ts'

const BATCH = 5000
export const ARTICLES_MIN = 1000
const ARTICLES_PER_CATEGORY = 10
/** Does not count the first category. Half are at the top level and half below the first: one page of each. */
const CATEGORIES_WITH_ARTICLES = 60
const RELATED = 3

/** The category with half of all articles. */
export const LARGE_CATEGORY = 'category-0'
/** An article in a subcategory, in two languages, with related articles. */
export const ARTICLE = 16
export const slugOf = (n: number): string => `article-${n}`
export const titlesOf = (n: number) => ({ en: `Care for chair ${padded(n)}`, de: `Pflege des Stuhls ${padded(n)}` })
const padded = (n: number): string => String(n).padStart(7, '0')

/** An article far down in the large category. */
export const farArticle = (articles: number): number => Math.floor(articles * 0.08) * 10 + 1

const STEPS = ['Dust it with a soft, dry cloth.', 'Wipe it along the **grain**, not across.', 'Let it dry for an hour.']
const SECTION = `## What it needs

Oak is an open-grained wood that takes up water and gives it back. Keep it away from [radiators](https://acme.com/heat)
and out of the sun, and it will outlive its first owner. A spill that is wiped up at once leaves nothing behind.

${STEPS.map((step) => `- ${step}`).join('\n')}

| Finish | Care | How often |
| --- | --- | --- |
| Oil | \`Oil No. 2\` | twice a year |
| Wax | A thin coat | once a year |
`
const CONTENT = `${SECTION}\n${SECTION}`
const PLAIN = 'Oak is an open-grained wood that takes up water and gives it back. '.repeat(20)

export interface Owner {
  orgId: OrgId
  knowledgeBaseId: string
}

/** Inserts rows directly: through the API a hundred thousand articles would take an hour. */
export async function fillCentre(
  name: string,
  location: DatabaseLocation,
  owner: Owner,
  articles: number,
): Promise<void> {
  const database = await openDatabase(location)
  try {
    const categories = await database.write((tx) =>
      storeCategories(tx, owner, Math.floor(articles / ARTICLES_PER_CATEGORY)),
    )
    let latest: string[] = []
    for (let from = 0; from < articles; from += BATCH) {
      const to = Math.min(articles, from + BATCH)
      latest = await database.write((tx) => storeArticles(tx, owner, categories, from, to, latest))
      process.stderr.write(`${name}: ${whole(to)} of ${whole(articles)} articles stored\n`)
    }
    await settle(database)
  } finally {
    await database.close()
  }
}

async function storeCategories(tx: Tx, { orgId, knowledgeBaseId }: Owner, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId)
  const [first = ''] = ids
  await insertTestRows(
    tx,
    'article_categories',
    ids.map((id, n) => ({
      id,
      org_id: orgId,
      knowledge_base_id: knowledgeBaseId,
      parent_id: isSubcategory(n) ? first : null,
      name: `Category ${n}`,
      slug: `category-${n}`,
      description: 'How to look after what you have bought',
      icon: 'folder-closed',
      sort_order: n,
      translations: {},
      created_at: timestamp(Date.now()),
    })),
  )
  return ids
}

const isSubcategory = (n: number): boolean => n > 0 && n % 2 === 0

/** Of ten articles, one has no category, five are in the large one and four in one of the others. */
function categoryOf(n: number, categories: readonly string[]): string | null {
  if (n % 10 === 0) return null
  return categories[n % 10 <= 5 ? 0 : 1 + (Math.floor(n / 10) % CATEGORIES_WITH_ARTICLES)] ?? null
}

/** Returns the ids of the last articles, so that the next batch can relate to them. */
async function storeArticles(
  tx: Tx,
  { orgId, knowledgeBaseId }: Owner,
  categories: readonly string[],
  from: number,
  to: number,
  previous: readonly string[],
): Promise<string[]> {
  const ids = Array.from({ length: to - from }, newId)
  const now = Date.now()
  const times = (n: number) => ({ created_at: timestamp(now - n), updated_at: timestamp(now - n) })
  await insertTestRows(
    tx,
    'articles',
    ids.map((id, index) => ({
      id,
      org_id: orgId,
      knowledge_base_id: knowledgeBaseId,
      category_id: categoryOf(from + index, categories),
      slug: slugOf(from + index),
      title_key: sortKey(titlesOf(from + index).en),
      status: 'published' as const,
      visibility: 'public' as const,
      language: 'en',
      is_empty: false,
      version_number: 1,
      indexing_status: 'indexed' as const,
      indexing_due_at: null,
      indexing_attempts: 0,
      indexed_at: timestamp(now),
      published_at: timestamp(now),
      ...times(from + index),
    })),
  )
  await insertTestRows(
    tx,
    'article_texts',
    ids.flatMap((id, index) =>
      (['en', 'de'] as const).map((language) => ({
        id: newId(),
        org_id: orgId,
        article_id: id,
        language,
        title: titlesOf(from + index)[language],
        revision: 1,
        ...times(from + index),
        content: CONTENT,
        content_plain: PLAIN,
        warnings: [],
        search_text: '',
      })),
    ),
  )
  const all = [...previous, ...ids]
  await insertTestRows(
    tx,
    'article_relations',
    ids.flatMap((id, index) =>
      all
        .slice(Math.max(0, previous.length + index - RELATED), previous.length + index)
        .map((other, place) => ({ org_id: orgId, article_id: id, related_article_id: other, sort_order: place })),
    ),
  )
  return ids.slice(-RELATED)
}

/** Runs maintenance that the engine would otherwise run during the measurement. */
async function settle({ kysely, engine }: Database): Promise<void> {
  const statements = engine === 'sqlite' ? ['pragma wal_checkpoint(truncate)'] : ['vacuum analyze', 'checkpoint']
  for (const statement of statements) await sql.raw(statement).execute(kysely)
}
