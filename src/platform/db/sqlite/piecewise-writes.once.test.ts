/** Large transactions are written in pieces, and nobody can tell, except that others do not wait. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { timestamp } from '../../clock/index.ts'
import { newId, type OrgId } from '../../ids/index.ts'
import { createLogger } from '../../telemetry/logging.ts'
import { announce } from '../announcements.ts'
import { DatabaseUnavailable } from '../failures.ts'
import { openDatabase } from '../open.ts'
import { deleteRows } from '../statements/delete-rows.ts'
import { EachOf } from '../statements/each-of.ts'
import { insertMissingRows, insertRows } from '../statements/insert-rows.ts'
import { runWithoutResult } from '../statements/run-without-result.ts'
import type { Database, Tx } from '../types.ts'
import { finishWrites, insertPieces, startFinishing } from '../unfinished-writes.ts'

const harness = useHarness({ role: 'api' })
const database = () => harness.service.database

const ROWS = 5000

const rowsOf = (orgId: OrgId, count: number, owner_id = newId()) =>
  Array.from({ length: count }, (_, n) => ({
    ...{
      id: newId(),
      org_id: orgId,
      owner_id,
      list: 'properties' as const,
      key: `key-${n}`,
      value: `${n} 🪑`,
      sort_order: n,
    },
    ...{ created_at: timestamp(harness.nowMs()), updated_at: timestamp(harness.nowMs()) },
  }))

const insertMany =
  (orgId: OrgId, count = ROWS) =>
  (tx: Tx) =>
    insertRows(tx, 'key_values', rowsOf(orgId, count))

const count = async (table: 'key_values' | 'unfinished_writes', { orgId }: Tenant, on: Database = database()) => {
  const rows = on.kysely.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'))
  return Number((await rows.where('org_id', '=', orgId).executeTakeFirstOrThrow()).count)
}

/** Looks in every turn of the event loop: all pieces take a tenth of a second. */
async function untilWriting(on: Database, { orgId }: Tenant): Promise<void> {
  while (on.settled(orgId) === undefined) await nextTurn()
}

test('transactions of others run between the pieces, and those of the same organisation after the last one', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const order: string[] = []
  const large = database()
    .writeInPieces(insertMany(acme.orgId), acme.orgId)
    .then(() => order.push('large'))
  const own = database().write(async (tx) => {
    const { rows } = await sql`select 1 from key_values where org_id = ${acme.orgId}`.execute(tx)
    order.push(`own sees ${rows.length}`)
  }, acme.orgId)
  await untilWriting(database(), acme)
  await database().write(insertMany(other.orgId, 1), other.orgId)
  expect(database().settled(acme.orgId)).toBeDefined()
  const stored = await count('key_values', acme)
  expect(stored).toBeLessThan(ROWS)
  await database().settled(acme.orgId)
  expect(await count('key_values', acme)).toBe(ROWS)
  await Promise.all([large, own])
  expect(order).toEqual(['large', `own sees ${ROWS}`])
  expect(database().settled(acme.orgId)).toBeUndefined()
  expect(await count('unfinished_writes', acme)).toBe(0)
})

test('addresses are claimed some at a time, before the commit', async () => {
  const acme = await harness.createTenant()
  const statements = await harness.statementsOf(() => acme.post('/v1/qr-codes/batch', { count: 1000 }))
  const claims = statements.filter(({ sql }) => sql.startsWith('insert into "scan_targets"'))
  const sizes = claims.map(({ parameters: [each] }) => (each as EachOf).rows.length)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(125)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1000)
})

test('a group leaves its many codes in pieces', async () => {
  const acme = await harness.createTenant()
  const { body: group } = await acme.post('/v1/qr-groups', { name: 'Chairs' })
  await acme.post('/v1/qr-codes/batch', { count: 1000, group_id: group.id })
  const deleting = acme.delete(`/v1/qr-groups/${group.id}`)
  await untilWriting(database(), acme)
  const [{ body: codes }, { status }] = await Promise.all([
    acme.get(`/v1/qr-codes?group_id=${group.id}`),
    acme.get(`/v1/qr-groups/${group.id}`),
  ])
  expect([codes.total, status]).toEqual([0, 410])
  expect((await deleting).status).toBe(204)
  expect((await acme.get('/v1/qr-codes')).body.total).toBe(1000)
})

test('a category is deleted with its many articles in pieces, and nothing of them is found any more', async () => {
  const acme = await harness.createTenant()
  const { body: base } = await acme.post('/v1/knowledge-bases', { name: 'Help' })
  const knowledge_base_id = base.id
  const { body: category } = await acme.post('/v1/article-categories', {
    knowledge_base_id,
    name: 'Care',
    slug: 'care',
  })
  const { body: inner } = await acme.post('/v1/article-categories', {
    ...{ knowledge_base_id, parent_id: category.id, name: 'Oil', slug: 'oil' },
  })
  const ids: string[] = []
  for (let n = 0; n < 60; n++) {
    const placed = { knowledge_base_id, category_id: n % 2 === 0 ? category.id : inner.id }
    ids.push((await acme.post('/v1/articles', { ...placed, title: `Oiling ${n}`, content: 'Once a year.' })).body.id)
  }
  const statements = await harness.statementsOf(async () => {
    expect((await acme.delete(`/v1/article-categories/${category.id}?cascade=true`)).status).toBe(204)
  })
  const articles = statements.filter(({ sql }) => sql.startsWith('delete from "articles"'))
  expect(articles.map(({ parameters: [each] }) => (each as EachOf).rows.length)).toEqual([25, 25, 10])
  expect((await acme.get('/v1/articles')).body.total).toBe(0)
  expect((await acme.get('/v1/article-categories')).body.total).toBe(0)
  expect((await acme.get(`/v1/articles/${ids[59]}`)).status).toBe(410)
  expect((await acme.get('/v1/events?type=article.deleted&limit=100')).body.data).toHaveLength(60)
})

test('nobody reads a part of it through the API', async () => {
  const acme = await harness.createTenant()
  const items = Array.from({ length: 1000 }, (_, n) => ({ external_id: `${n}`, type: 'chair' }))
  const batch = acme.post('/v1/objects/batch', { items })
  await untilWriting(database(), acme)
  const [{ body: list }, { body: events }] = await Promise.all([
    acme.get('/v1/objects'),
    acme.get('/v1/events?limit=1'),
  ])
  expect(list.total).toBe(1000)
  expect(events.data).toHaveLength(1)
  expect(await batch).toMatchObject({ status: 200, body: { created: 1000 } })
})

test('what a process leaves behind is completed by another one, once', async () => {
  const acme = await harness.createTenant()
  if (!('file' in harness.location)) throw new Error('only SQLite has a file')
  const ending = await openDatabase(harness.location)
  const written = ending.writeInPieces(insertMany(acme.orgId), acme.orgId)
  written.catch(() => {})
  await untilWriting(ending, acme)
  await ending.close()
  await expect(written).rejects.toThrow()
  // Several processes may try at once.
  const others = await Promise.all([openDatabase(harness.location), openDatabase(harness.location)])
  expect(await Promise.all(others.map(finishWrites))).toEqual([new Map(), new Map()])
  expect(await count('unfinished_writes', acme)).toBe(0)
  expect(await count('key_values', acme)).toBe(ROWS)
  await Promise.all(others.map((other) => other.close()))
})

test('what a command leaves behind is completed while the service is running', async () => {
  const acme = await harness.createTenant()
  const stop = startFinishing(database(), createLogger('silent'))
  const piece = { id: newId(), statement: 'update organisations set name = ? where id = ?' }
  const each = new EachOf([['Acme Chairs', acme.orgId]])
  await database().write((tx) => insertPieces(tx, acme.orgId, [{ ...piece, each }]), acme.orgId)
  await eventually(async () => (await count('unfinished_writes', acme)) === 0)
  expect((await acme.get('/v1/organisation')).body.name).toBe('Acme Chairs')
  await stop()
})

test('caches hear of it when the last piece is written, also if the request did not wait for that', async () => {
  const acme = await harness.createTenant()
  if (!('file' in harness.location)) throw new Error('only SQLite has a file')
  const impatient = await openDatabase(harness.location, { waitMsMax: 50 })
  const heard: string[] = []
  const stop = impatient.listen({
    resumed() {},
    interrupted() {},
    changed: (topic, key) => heard.push(`${topic} ${key}`),
  })
  const written = impatient.writeInPieces(async (tx) => {
    await insertMany(acme.orgId)(tx)
    await announce(tx, 'things', ['chairs'])
  }, acme.orgId)
  const refused = expect(written).rejects.toThrow(DatabaseUnavailable)
  await untilWriting(impatient, acme)
  let release = () => {}
  const held = impatient.write(() => new Promise<void>((resolve) => (release = resolve)))
  await refused
  expect(heard).not.toContain('things chairs')
  release()
  await held
  await eventually(() => heard.includes('things chairs'))
  expect(await count('key_values', acme)).toBe(ROWS)
  stop()
  await impatient.close()
})

test('a piece that can never be written is reported and kept, and does not hold up the start', async () => {
  const acme = await harness.createTenant()
  const piece = {
    id: newId(),
    org_id: acme.orgId,
    statement: 'insert into key_values (org_id) values (?)',
    each_row: '[[null]]',
  }
  await database().write((tx) => insertRows(tx, 'unfinished_writes', [piece]), acme.orgId)
  expect([...(await finishWrites(database())).keys()]).toEqual([piece.id])
  expect(await count('unfinished_writes', acme)).toBe(1)
  await database().write(async (tx) => {
    await tx.deleteFrom('unfinished_writes').where('org_id', '=', acme.orgId).execute()
  }, acme.orgId)
})

test('work that fails leaves nothing, and the next transaction can begin', async () => {
  const acme = await harness.createTenant()
  const failing = database().writeInPieces(async (tx) => {
    await insertMany(acme.orgId)(tx)
    throw new Error('refused')
  }, acme.orgId)
  await expect(failing).rejects.toThrow('refused')
  await database().writeInPieces(insertMany(acme.orgId, 3), acme.orgId)
  expect(await count('key_values', acme)).toBe(3)
})

test('when a name was taken meanwhile, an ordinary transaction decides', async () => {
  const acme = await harness.createTenant()
  const target = {
    id: 'object:taken',
    org_id: acme.orgId,
    target_id: newId(),
    rule: { status: 'active', params: [true] },
  }
  const inserted: string[][] = []
  await database().writeInPieces(async (tx) => {
    inserted.push(await insertMissingRows(tx, 'scan_targets', [target, { ...target, id: `object:${newId()}` }]))
    // Another process takes the name after this one has looked.
    if (inserted.length === 1) await database().write((other) => insertRows(other, 'scan_targets', [target]))
    await insertMany(acme.orgId)(tx)
  }, acme.orgId)
  expect(inserted.map((ids) => ids.length)).toEqual([2, 1])
  expect(await count('key_values', acme)).toBe(ROWS)
  const rules = database().read.selectFrom('scan_targets').select('rule').where('org_id', '=', acme.orgId)
  for (const { rule } of await rules.execute()) expect(rule).toEqual(target.rule)
})

test('work that waits for what it writes is a mistake', async () => {
  const acme = await harness.createTenant()
  const waiting = (tx: Tx) => sql`update objects set type = 'chair' where org_id = ${acme.orgId}`.execute(tx)
  await expect(database().writeInPieces(waiting, acme.orgId)).rejects.toThrow('cannot wait for what it writes')
})

test('statements run in their order, with the values that they were given', async () => {
  const acme = await harness.createTenant()
  const rows = rowsOf(acme.orgId, 1000)
  await database().writeInPieces(async (tx) => {
    await insertRows(tx, 'key_values', rows)
    const ids = rows.slice(1).map(({ id }) => [acme.orgId, id])
    const remove = 'delete from key_values where org_id = ? and id = ?'
    await runWithoutResult(tx, CompiledQuery.raw(remove, [new EachOf(ids)]))
  }, acme.orgId)
  const left = database().read.selectFrom('key_values').selectAll().where('org_id', '=', acme.orgId)
  expect(await left.execute()).toEqual(rows.slice(0, 1))
})

test('a single row that replaces a deleted one waits for the deletion', async () => {
  const acme = await harness.createTenant()
  const rows = rowsOf(acme.orgId, 1000)
  await database().write((tx) => insertRows(tx, 'key_values', rows), acme.orgId)
  const [row = rows[0] as (typeof rows)[number]] = rows
  let attempts = 0
  await database().writeInPieces(async (tx) => {
    attempts++
    await deleteRows(
      tx,
      acme.orgId,
      'key_values',
      rows.map(({ id }) => id),
    )
    await insertRows(tx, 'key_values', [{ ...row, value: 'new' }])
  }, acme.orgId)
  const left = database().read.selectFrom('key_values').select('value').where('org_id', '=', acme.orgId)
  expect(await left.execute()).toEqual([{ value: 'new' }])
  expect(attempts, 'in pieces, and not as one transaction').toBe(1)
})

test('a writer that ends in the middle is replaced, and the rest is written before anything else', async () => {
  const acme = await harness.createTenant()
  if (!('file' in harness.location)) throw new Error('only SQLite has a file')
  const threads: Worker[] = []
  const remember = (worker: Worker) => threads.push(worker)
  process.on('worker', remember)
  const mortal = await openDatabase(harness.location)
  const written = mortal.writeInPieces(insertMany(acme.orgId), acme.orgId)
  await untilWriting(mortal, acme)
  process.off('worker', remember)
  const writers = threads.filter(({ threadName }) => threadName === 'sqlite-write')
  expect(writers).toHaveLength(1)
  await writers[0]?.terminate()
  await written
  expect([await count('key_values', acme, mortal), await count('unfinished_writes', acme, mortal)]).toEqual([ROWS, 0])
  await mortal.close()
})
