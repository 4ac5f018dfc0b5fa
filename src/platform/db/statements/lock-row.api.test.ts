import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createOrganisation } from '../../../modules/account/organisations/index.ts'
import { createDatabase, type TestDatabase } from '../../../testing/engines/database.ts'
import { eventually } from '../../../testing/eventually.ts'
import { timestamp } from '../../clock/index.ts'
import { newId, type OrgId } from '../../ids/index.ts'
import { openDatabase } from '../open.ts'
import type { Database } from '../types.ts'
import { lockRow } from './lock-row.ts'

const NOW = timestamp(1_800_000_000_000)
let files: TestDatabase
let database: Database
let orgId: OrgId

beforeAll(async () => {
  files = await createDatabase()
  database = await openDatabase(files.location)
  orgId = (await database.write((tx) => createOrganisation(tx, { name: 'Acme', slug: 'acme' }, NOW))).id
})
afterAll(async () => {
  await database.close()
  await files.drop()
})

async function createTag(name: string): Promise<string> {
  const id = newId()
  const row = { id, org_id: orgId, name, name_folded: name, created_at: NOW }
  await database.write((tx) => tx.insertInto('article_tags').values(row).execute())
  return id
}

const nameOf = async (db: Database['read'], id: string) =>
  (
    await db
      .selectFrom('article_tags')
      .select('name')
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).name

test('concurrent read-then-update transactions do not overwrite each other', async () => {
  const id = await createTag('')
  await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      database.write(async (tx) => {
        await lockRow(tx, orgId, 'article_tags', id)
        const name = `${await nameOf(tx, id)}${n}`
        await tx.updateTable('article_tags').set({ name }).where('org_id', '=', orgId).where('id', '=', id).execute()
      }),
    ),
  )
  expect([...(await nameOf(database.read, id))].sort().join('')).toBe('01234567')
})

test('ignores a row that does not exist or belongs to another organisation', async () => {
  const id = await createTag('other')
  await database.write(async (tx) => {
    await lockRow(tx, orgId, 'article_tags', newId())
    await lockRow(tx, newId() as OrgId, 'article_tags', id)
  })
})

describe.runIf(inject('engine') === 'postgres')('on PostgreSQL', () => {
  test('a second lock waits for the first transaction, and locks on other rows do not', async () => {
    const [id, other] = [await createTag('first'), await createTag('other row')]
    const released = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const order: string[] = []
    const first = database.write(async (tx) => {
      await lockRow(tx, orgId, 'article_tags', id)
      locked.resolve()
      await released.promise
      order.push('first')
    })
    await locked.promise
    const second = database.write(async (tx) => {
      await lockRow(tx, orgId, 'article_tags', id)
      order.push('second')
    })
    // Observes the waiting backend instead of relying on time.
    await eventually(async () => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(database.kysely)
      return rows[0]!.n === 1
    })
    await database.write((tx) => lockRow(tx, orgId, 'article_tags', other))
    // Reads do not wait.
    expect(await nameOf(database.read, id)).toBe('first')
    released.resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['first', 'second'])
  })
})
