import { createOrganisation } from '../../src/modules/account/organisations/index.ts'
import type { Analyser } from '../../src/modules/knowledge/article-search/index.ts'
import { timestamp } from '../../src/platform/clock/index.ts'
import type { Database } from '../../src/platform/db/index.ts'
import { newId, type OrgId } from '../../src/platform/ids/index.ts'
import { indexArticles } from '../../src/testing/data/index-articles.ts'
import { insertPublished } from '../../src/testing/data/published-articles.ts'
import { insertTestRows } from '../../src/testing/engines/insert-test-rows.ts'
import { whole } from '../support/table.ts'
import { SearchCorpus } from './corpus.ts'

export const BATCH = 100
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
        is_published: true,
        default_language: 'en',
        created_at: now,
        updated_at: now,
      })),
    ),
  )
  return { orgId: id, bases }
}

export async function fillArticles(
  engine: string,
  database: Database,
  analyser: Analyser,
  { orgId, bases }: Owner,
  count: number,
): Promise<SearchCorpus> {
  const corpus = new SearchCorpus(bases)
  let indexingMs = 0
  for (let done = 0; done < count; done += BATCH) {
    const articles = Array.from({ length: Math.min(BATCH, count - done) }, () => corpus.next())
    await database.write((tx) => insertPublished(tx, orgId, articles, timestamp(Date.now())))
    const startedAt = performance.now()
    await indexArticles(database, analyser, orgId, articles)
    indexingMs += performance.now() - startedAt
    const total = done + articles.length
    if (total === count || total % 10_000 === 0) {
      const rate = whole((total / indexingMs) * 1000)
      process.stderr.write(`${engine}: ${whole(total)} of ${whole(count)} articles indexed, ${rate}/s\n`)
    }
  }
  return corpus
}
