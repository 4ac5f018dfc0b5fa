import { createOrganisation } from '../../src/modules/account/organisations/index.ts'
import {
  type Analyser,
  analyseText,
  countWords,
  type IndexEntry,
  indexTexts,
  mergeParts,
  settleVocabulary,
  type Write,
} from '../../src/modules/knowledge/article-search/index.ts'
import { timestamp } from '../../src/platform/clock/index.ts'
import { type Database, deferFlush } from '../../src/platform/db/index.ts'
import { newId, type OrgId } from '../../src/platform/ids/index.ts'
import { insertPublished, type SearchableArticle } from '../../src/testing/data/published-articles.ts'
import { insertTestRows } from '../../src/testing/engines/insert-test-rows.ts'
import { whole } from '../support/table.ts'
import { SearchCorpus } from './corpus.ts'

export const BATCH = 200
const BASES = 4

export interface Owner {
  orgId: OrgId
  bases: string[]
}

export async function createOwner(database: Database, slug: string): Promise<Owner> {
  const now = timestamp(Date.now())
  const bases = Array.from({ length: BASES }, () => newId())
  const { id } = await database.write((tx) => createOrganisation(tx, { name: 'Acme', slug }, now))
  await database.write((tx) =>
    insertTestRows(
      tx,
      'knowledge_bases',
      bases.map((base) => ({
        id: base,
        org_id: id,
        name: 'Help',
        slug: base,
        public_slug: base,
        description: null,
        logo_url: null,
        primary_color: null,
        contact_email: null,
        contact_phone: null,
        is_published: true,
        default_language: 'en',
        everyday_synonyms: true,
        translations: {},
        created_at: now,
        updated_at: now,
      })),
    ),
  )
  return { orgId: id, bases }
}

interface IndexedArticle extends Omit<SearchableArticle, 'texts'> {
  version_number: number
  entries: IndexEntry[]
}

/** Leaves out the passages, which only answers to questions read: storing them takes most of the time. */
async function analyse(
  database: Database,
  analyser: Analyser,
  orgId: OrgId,
  articles: readonly SearchableArticle[],
): Promise<IndexedArticle[]> {
  const indexed: IndexedArticle[] = []
  for (const { texts, ...article } of articles) {
    const entries: IndexEntry[] = []
    for (const text of texts) {
      const entry = await analyseText(database.read, analyser, orgId, { content: text.plain, ...text }, undefined)
      if (entry !== undefined) entries.push({ ...entry, passages: [], passageTermCount: 0 })
    }
    indexed.push({ ...article, version_number: 1, entries })
  }
  return indexed
}

export async function fillArticles(
  engine: string,
  database: Database,
  analyser: Analyser,
  { orgId, bases }: Owner,
  count: number,
): Promise<SearchCorpus> {
  const corpus = new SearchCorpus(bases)
  // The worker does the same: a transaction that a crash would lose is done again.
  const write: Write = (work) =>
    database.write(async (tx) => {
      await deferFlush(tx)
      return work(tx)
    }, orgId)
  let indexingMs = 0
  for (let done = 0; done < count; done += BATCH) {
    const articles = Array.from({ length: Math.min(BATCH, count - done) }, () => corpus.next())
    await database.write((tx) => insertPublished(tx, orgId, articles, timestamp(Date.now())))
    const startedAt = performance.now()
    const indexed = await analyse(database, analyser, orgId, articles)
    await write((tx) => indexTexts(tx, orgId, indexed))
    await mergeParts(database, write)
    indexingMs += performance.now() - startedAt
    const total = done + articles.length
    if (total === count || total % 10_000 === 0) {
      const rate = whole((total / indexingMs) * 1000)
      process.stderr.write(`${engine}: ${whole(total)} of ${whole(count)} articles indexed, ${rate}/s\n`)
    }
  }
  while ((await countWords(database, write, orgId)) || (await settleVocabulary(database, write, analyser, orgId))) {}
  return corpus
}
