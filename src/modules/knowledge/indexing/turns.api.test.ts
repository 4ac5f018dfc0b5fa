import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { LoopTurns } from '../../../platform/bounded/index.ts'
import { timestamp } from '../../../platform/clock/index.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import { newId } from '../../../platform/ids/index.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { createMetrics } from '../../../platform/telemetry/metrics.ts'
import { createKnowledgeBase } from '../../../testing/data/articles.ts'
import { distinctWords } from '../../../testing/data/distinct-words.ts'
import { insertPublished } from '../../../testing/data/published-articles.ts'
import { expectExactVocabulary, isVocabularySettled } from '../../../testing/data/vocabulary.ts'
import { explain } from '../../../testing/engines/plans.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Statement, type Tenant, useHarness } from '../../../testing/harness.ts'
import { createAnalyser } from '../article-search/index.ts'
import { startIndexing } from './index.ts'
import { claimForIndexing, indexPrepared, Piece, releaseClaimed } from './index-articles.ts'

/** The service has no worker: the tests start one, or take its steps themselves. */
const harness = useHarness({ role: 'api' })
const analyser = createAnalyser()
afterAll(() => analyser.close())

/** A worker with its own connections. Records its statements, and how many transactions it had open at each. */
async function startWorker() {
  const statements: (Statement & { openTransactions: number })[] = []
  const database = await openDatabase(harness.location, {
    observe: (sql, parameters) =>
      statements.push({ sql, parameters, openTransactions: database?.writeQueue.running ?? 0 }),
  })
  const log = createLogger('silent')
  const metrics = createMetrics()
  const turns = new LoopTurns(metrics)
  const stop = startIndexing({
    database,
    publicUrlOf: () => harness.baseUrl,
    turns,
    clock: harness.nowMs,
    log,
    metrics,
  })
  return {
    statements,
    [Symbol.asyncDispose]: async () => {
      await stop()
      await database.close()
    },
  }
}

async function publish(tenant: Tenant, body: object = {}): Promise<string> {
  const knowledge_base_id = await createKnowledgeBase(tenant)
  const sent = { knowledge_base_id, title: 'Oiling', content: 'Once a year', status: 'published', ...body }
  return (await tenant.post('/v1/articles', sent)).body.id
}

/** Inserts a thousand articles that are due at this time. */
async function insertWaiting({ orgId }: Tenant, knowledge_base_id: string, indexing_due_at: string): Promise<void> {
  const articles = Array.from({ length: 1000 }, (_, n) => ({
    id: newId(),
    knowledge_base_id,
    visibility: 'public' as const,
    texts: [{ language: 'en', title: `Care ${n}`, plain: 'Oil and wax' }],
  }))
  const due = { indexing_status: 'pending' as const, indexing_due_at }
  await harness.service.database.write((tx) => insertPublished(tx, orgId, articles, timestamp(harness.nowMs()), due))
}

const statusOf = async (tenant: Tenant, id: string) => (await tenant.get(`/v1/articles/${id}`)).body.indexing_status
/** Waits without requests, of which there would be hundreds. */
const indexed = ({ orgId }: Tenant, id: string) =>
  eventually(async () => {
    const { database } = harness.service
    const rows = database.read.selectFrom('articles').select('indexing_status').where('org_id', '=', orgId)
    return (await rows.where('id', '=', id).executeTakeFirst())?.indexing_status === 'indexed'
  })
const found = async (tenant: Tenant, q: string): Promise<number> =>
  (await tenant.get(`/v1/articles/search?q=${q}`)).body.total

/** Claims and analyses as a worker does. Returns the rest of its turn. */
async function prepare({ orgId }: Tenant) {
  const { database } = harness.service
  const claim = (await database.write((tx) => claimForIndexing(tx, orgId, harness.nowMs())))!
  const piece = new Piece(database, analyser, orgId)
  for (const id of claim.ids) if (!piece.isFull) await piece.add(id)
  return async () => {
    const at = { now: timestamp(harness.nowMs()), publicUrl: harness.baseUrl }
    await database.write((tx) => indexPrepared(tx, claim, piece.articles, at))
    await database.write((tx) => releaseClaimed(tx, claim, claim.ids))
  }
}

test.each([
  ['is unpublished', { status: 'draft' }],
  ['is hidden', { visibility: 'internal' }],
  ['gets another text', { content: 'Twice a year' }],
])('an article that %s while it is analysed is not indexed as it was', async (_name, change) => {
  const acme = await harness.createTenant()
  const id = await publish(acme)
  const finish = await prepare(acme)
  const { indexing_status } = (await acme.patch(`/v1/articles/${id}`, change)).body
  await finish()
  expect(await found(acme, 'oiling')).toBe(0)
  expect(await statusOf(acme, id)).toBe(indexing_status)
})

describe('a worker', () => {
  /** One for all tests, because starting it takes longer than they do. */
  let worker: Awaited<ReturnType<typeof startWorker>>
  beforeAll(async () => {
    worker = await startWorker()
  })
  afterAll(() => worker[Symbol.asyncDispose]())
  beforeEach(() => {
    worker.statements.length = 0
  })

  test('no transaction is open while a text is read and analysed', async () => {
    const acme = await harness.createTenant()
    const id = await publish(acme, { content: distinctWords(2000) })
    await indexed(acme, id)
    const own = worker.statements.filter(({ parameters }) => parameters.includes(acme.orgId))
    const reads = own.filter(({ sql }) => /^select .*"content_plain"/.test(sql) && sql.includes('"plain"'))
    expect(reads.map(({ openTransactions }) => openTransactions)).toEqual([0])
    const writes = own.filter(({ sql }) => sql.startsWith('insert into "article_search_texts"'))
    expect(writes.map(({ openTransactions }) => openTransactions)).toEqual([1])
  })

  test('the vocabulary stays exact when texts change and leave', async () => {
    const acme = await harness.createTenant()
    const ids = [await publish(acme, { title: 'Oiling chairs' }), await publish(acme, { title: 'Oiling tables' })]
    const { database } = harness.service
    for (const id of ids) await indexed(acme, id)
    await acme.patch(`/v1/articles/${ids[0]}`, { title: 'Waxing chairs' })
    await indexed(acme, ids[0]!)
    await acme.patch(`/v1/articles/${ids[1]}`, { status: 'draft' })
    await eventually(() => isVocabularySettled(database, acme.orgId))
    const counts = await expectExactVocabulary(database, acme.orgId)
    expect(Object.fromEntries(counts)).toEqual({ 'en waxing': 1, 'en chairs': 1, 'en once': 1, 'en year': 1 })
    const keys = await database.kysely
      .selectFrom('article_search_misspellings' as 'article_search_words')
      .innerJoin('article_search_words as words', 'words.id', 'word_id' as never)
      .select('words.word')
      .where('words.org_id', '=', acme.orgId)
      .distinct()
      .execute()
    expect(keys.map(({ word }) => word).sort()).toEqual(['chairs', 'once', 'waxing', 'year'])
  })

  test('a full vocabulary takes no more words, and the text is found all the same', async () => {
    const acme = await harness.createTenant()
    const { database } = harness.service
    const total = { org_id: acme.orgId, table_name: 'article_search_words', total: 300_000, slot: 0 }
    await database.write((tx) => tx.insertInto('row_totals').values(total).execute())
    const id = await publish(acme, { title: 'Upholstery' })
    await indexed(acme, id)
    await eventually(() => isVocabularySettled(database, acme.orgId))
    expect((await expectExactVocabulary(database, acme.orgId)).size).toBe(0)
    expect(await found(acme, 'upholstery')).toBe(1)
    expect(await found(acme, 'upholstry')).toBe(0)
  })

  test.runIf(inject('engine') === 'postgres')('a power cut can undo only transactions on the vocabulary', async () => {
    const acme = await harness.createTenant()
    const id = await publish(acme)
    await indexed(acme, id)
    await eventually(() => isVocabularySettled(harness.service.database, acme.orgId))
    const transactions = worker.statements
      .map(({ sql }) => sql)
      .join('\n')
      .split('\nbegin')
    const undoable = transactions.filter((text) => text.includes('synchronous_commit'))
    expect(undoable.join()).toContain('insert into "article_search_misspellings"')
    expect(undoable.join()).not.toMatch(
      /(insert into|update|delete from) "(?!article_search_(words|misspellings|word_lists)")/,
    )
    expect(transactions.join()).toContain('insert into "events"')
  })

  test('every statement of the worker reads by an index, however much is waiting', async () => {
    const acme = await harness.createTenant()
    const id = await publish(acme)
    const { database } = harness.service
    const other = await harness.createTenant()
    await insertWaiting(other, await createKnowledgeBase(other), '9999-01-01T00:00:00.000+00:00')
    const own = new Map<string, Statement>()
    await indexed(acme, id)
    await acme.patch(`/v1/articles/${id}`, { status: 'draft' })
    await eventually(() => isVocabularySettled(database, acme.orgId))
    for (const statement of worker.statements) {
      // On SQLite, the first statement ends the leases of a crash, and reads all of them once.
      const isOwn = /indexing_due_at|article_search_(word|missp)/.test(statement.sql)
      if (isOwn && !/where "indexing_due_at" >/.test(statement.sql)) own.set(statement.sql, statement)
    }
    expect(own.size).toBeGreaterThan(12)
    for (const statement of own.values()) {
      const plan = await explain(database, statement)
      expect(plan, statement.sql).not.toMatch(/SCAN (?!.*(VIRTUAL TABLE|CONSTANT|SUBQUERY|subquery|first_of))|Seq Scan/)
      if (database.engine === 'sqlite' && statement.sql.includes('"wanted"')) {
        expect(plan, statement.sql).toContain('SEARCH found USING INTEGER PRIMARY KEY (rowid=?)')
      }
      if (statement.sql.includes('"indexing_due_at" <=')) expect(plan, statement.sql).toContain('articles_due_idx')
    }
  })
})

// These come last: the workers of the other tests would have to count all of their words.

test('another organisation’s article is indexed while one has a large backlog', async () => {
  const [large, small] = [await harness.createTenant(), await harness.createTenant()]
  const knowledge_base_id = await createKnowledgeBase(large)
  const { database } = harness.service
  await insertWaiting(large, knowledge_base_id, '2020-01-01T00:00:00.000+00:00')
  const id = await publish(small)
  {
    await using _worker = await startWorker()
    await indexed(small, id)
  }
  const waiting = await database.read
    .selectFrom('articles')
    .select('id')
    .where('org_id', '=', large.orgId)
    .where('indexing_status', '=', 'pending')
    .execute()
  expect(waiting.length).toBeGreaterThan(500)
})

test('a large article is indexed text by text, and only its changed texts again', async () => {
  const acme = await harness.createTenant()
  const id = await publish(acme, { content: distinctWords(40_000) })
  await acme.post(`/v1/articles/${id}/translations`, { language: 'de', title: 'Ölen', content: distinctWords(40_000) })
  await acme.post(`/v1/articles/${id}/translations`, { language: 'fr', title: 'Huiler', content: 'Une fois par an' })
  const { database } = harness.service
  const texts = async () => {
    const rows = await database.kysely
      .selectFrom('article_search_texts')
      .select(['language', 'id', 'digest'])
      .where('org_id', '=', acme.orgId)
      .execute()
    return new Map(rows.map(({ language, ...text }) => [language, text]))
  }
  const turn = async () => (await prepare(acme))()
  await turn()
  expect([...(await texts()).keys()]).toEqual(['de'])
  expect(await statusOf(acme, id)).toBe('pending')
  await turn()
  expect([...(await texts()).keys()].sort()).toEqual(['de', 'en'])
  await turn()
  expect(await statusOf(acme, id)).toBe('indexed')

  const before = await texts()
  await acme.patch(`/v1/articles/${id}/translations/fr`, { content: 'Deux fois par an' })
  await turn()
  const after = await texts()
  expect([after.get('de'), after.get('en')]).toEqual([before.get('de'), before.get('en')])
  expect(after.get('fr')?.digest).not.toBe(before.get('fr')?.digest)
  await acme.delete(`/v1/articles/${id}/translations/fr`)
  await turn()
  expect([...(await texts()).keys()].sort()).toEqual(['de', 'en'])
})
