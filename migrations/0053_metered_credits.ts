import { type Kysely, sql } from 'kysely'
import { systemClock, timestamp } from '../src/platform/clock/index.ts'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { newId } from '../src/platform/ids/index.ts'

/**
 * The default of STARTING_CREDITS. Not its value: migrations read no settings, which could differ between the instances of
 * which any may migrate. An operator who charges for answers sets another balance with `org set --credits`.
 */
const STARTING = 1000
/** What visitors must leave of it. */
const RESERVED = 50
const ROWS_MAX = 500

interface Tables {
  organisations: { id: string }
  credit_balances: { org_id: string; balance: number; updated_at: string; is_metered: boolean | null; reserved: number }
  credit_entries: {
    id: string
    org_id: string
    amount: number
    balance: number
    reason: string
    message_id: string | null
    created_at: string
  }
}

/**
 * Whether answers cost an organisation credits, and what visitors must leave. An organisation that never had credits gets
 * those of a new one, so that its chatbots are not silent where answers cost something.
 */
export const up: MigrationStep = async (db, types) => {
  await db.schema.alterTable('credit_balances').addColumn('is_metered', types.boolean).execute()
  await db.schema
    .alterTable('credit_balances')
    .addColumn('reserved', types.integer, (column) => column.notNull().defaultTo(sql.lit(0)))
    .execute()
  await sql`update credit_balances set reserved = case when balance >= 500 then ${sql.lit(RESERVED)} else balance / 10 end`.execute(
    db,
  )
  await grantStartingCredits(db as Kysely<Tables>)
}

async function grantStartingCredits(db: Kysely<Tables>): Promise<void> {
  const now = timestamp(systemClock())
  const withoutCredits = db
    .selectFrom('organisations as o')
    .select('o.id')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('credit_balances as b').select('b.org_id').whereRef('b.org_id', '=', 'o.id'))),
    )
    .limit(ROWS_MAX)
  for (;;) {
    const organisations = await withoutCredits.execute()
    if (organisations.length === 0) return
    const common = organisations.map(({ id }) => ({ org_id: id, balance: STARTING }))
    await db
      .insertInto('credit_balances')
      .values(common.map((row) => ({ ...row, updated_at: now, is_metered: null, reserved: RESERVED })))
      .execute()
    const entry = { amount: STARTING, reason: 'adjustment', message_id: null, created_at: now }
    await db
      .insertInto('credit_entries')
      .values(common.map((row) => ({ ...row, ...entry, id: newId() })))
      .execute()
  }
}
