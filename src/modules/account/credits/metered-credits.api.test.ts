import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { up } from '../../../../migrations/0053_metered_credits.ts'
import { systemClock, timestamp } from '../../../platform/clock/index.ts'
import { columnTypes } from '../../../platform/db/column-types.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import { createDatabase } from '../../../testing/engines/database.ts'
import { createOrganisation } from '../organisations/index.ts'
import { setBalance } from './index.ts'

test('an upgrade gives credits once to organisations that never had any, and leaves others as they are', async () => {
  const stored = await createDatabase()
  const database = await openDatabase(stored.location)
  const { kysely } = database
  const now = timestamp(systemClock())
  const create = (slug: string, credits: number) =>
    database.write((tx) => createOrganisation(tx, { name: 'Acme', slug }, now, { credits }))
  const [none, some, spent] = [await create('none', 0), await create('some', 400), await create('spent', 10)]
  await database.write((tx) => setBalance(tx, spent.id, 0, now))
  for (const column of ['is_metered', 'reserved']) {
    await kysely.schema.alterTable('credit_balances').dropColumn(column).execute()
  }

  await up(kysely as unknown as Kysely<unknown>, columnTypes[stored.engine], stored.engine)
  const rows = await kysely
    .selectFrom('credit_balances')
    .select(['org_id', 'balance', 'reserved', 'is_metered'])
    .execute()
  const of = (id: string) => rows.find(({ org_id }) => org_id === id)
  expect(rows).toHaveLength(3)
  expect(of(none.id)).toMatchObject({ balance: 1000, reserved: 50, is_metered: null })
  expect(of(some.id)).toMatchObject({ balance: 400, reserved: 40, is_metered: null })
  expect(of(spent.id)).toMatchObject({ balance: 0, reserved: 0, is_metered: null })
  const entries = kysely.selectFrom('credit_entries').select(['amount', 'balance', 'reason'])
  expect(await entries.where('org_id', '=', none.id).execute()).toEqual([
    { amount: 1000, balance: 1000, reason: 'adjustment' },
  ])
  expect(await entries.where('org_id', '=', some.id).execute()).toHaveLength(1)
  await database.close()
  await stored.drop()
})
