import type { Position } from '../../../platform/contract/pagination.ts'
import { columnsExcept, type Db, forUpdate, olderThan, type Row, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const BALANCE_COLUMNS = columnsExcept('credit_balances', 'org_id')
export type BalanceRow = Row<'credit_balances', typeof BALANCE_COLUMNS>
const ENTRY_COLUMNS = columnsExcept('credit_entries', 'org_id')
export type EntryRow = Row<'credit_entries', typeof ENTRY_COLUMNS>

export const selectBalance = (db: Db, orgId: OrgId): Promise<BalanceRow | undefined> =>
  db.selectFrom('credit_balances').select(BALANCE_COLUMNS).where('org_id', '=', orgId).executeTakeFirst()

/** The balance of an organisation whose balance has never changed. */
export const selectFirstBalance = async (db: Db, orgId: OrgId): Promise<BalanceRow> => {
  const organisation = db.selectFrom('organisations').select('created_at').where('id', '=', orgId)
  const { created_at } = await organisation.executeTakeFirstOrThrow()
  return { balance: 0, reserved: 0, is_metered: null, updated_at: created_at }
}

/** Changes of a balance wait for each other until the transaction ends. Undefined if it has never changed. */
export const lockBalance = (tx: Tx, orgId: OrgId): Promise<BalanceRow | undefined> =>
  tx
    .selectFrom('credit_balances')
    .select(BALANCE_COLUMNS)
    .where('org_id', '=', orgId)
    .modifyEnd(forUpdate(tx))
    .executeTakeFirst()

/** The same for a balance that may be changed for the first time. */
export async function lockOrInsertBalance(tx: Tx, orgId: OrgId): Promise<BalanceRow> {
  const first = await selectFirstBalance(tx, orgId)
  await tx
    .insertInto('credit_balances')
    .values({ org_id: orgId, ...first })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await lockBalance(tx, orgId)) ?? first
}

export const updateBalance = async (tx: Tx, orgId: OrgId, changes: BalanceRow): Promise<void> => {
  await tx.updateTable('credit_balances').set(changes).where('org_id', '=', orgId).execute()
}

export const insertEntry = async (tx: Tx, orgId: OrgId, row: EntryRow): Promise<void> => {
  await tx
    .insertInto('credit_entries')
    .values({ ...row, org_id: orgId })
    .execute()
}

/** Newest first. */
export const selectEntries = (db: Db, orgId: OrgId, after: Position | undefined, limit: number): Promise<EntryRow[]> =>
  db
    .selectFrom('credit_entries')
    .select(ENTRY_COLUMNS)
    .where('org_id', '=', orgId)
    .$if(after !== undefined, (query) => query.where(olderThan(after as Position)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Organisations that have no credits left and whose answers cost some, for the operator. Has no tenant. */
export const selectWithoutCredits = (db: Db, isMetered: boolean, limit: number): Promise<{ slug: string }[]> =>
  db
    .selectFrom('organisations as o')
    .leftJoin('credit_balances as b', 'b.org_id', 'o.id')
    .select('o.slug')
    .where((eb) => eb.or([eb('b.balance', 'is', null), eb('b.balance', '=', 0)]))
    .where((eb) => eb.or([eb('b.is_metered', '=', true), ...(isMetered ? [eb('b.is_metered', 'is', null)] : [])]))
    .orderBy('o.slug')
    .limit(limit)
    .execute()
