import { noteChange } from '../../../platform/audit/index.ts'
import type { Timestamp } from '../../../platform/clock/index.ts'
import type { CursorPage, CursorQuery, Position } from '../../../platform/contract/pagination.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import type { CreditBalance, CreditEntry } from './contract.ts'
import {
  type BalanceRow,
  type EntryRow,
  insertEntry,
  lockBalance,
  selectBalance,
  selectEntries,
  selectFirstBalance,
  updateBalance,
} from './queries.ts'

export async function getBalance({ read, orgId }: Context): Promise<CreditBalance> {
  return toBalance((await selectBalance(read, orgId)) ?? (await selectFirstBalance(read, orgId)))
}

export const listEntries = (
  ctx: Context,
  query: CursorQuery,
  after: Position | undefined,
): Promise<CursorPage<CreditEntry>> =>
  cursorPage(query, (limit) => selectEntries(ctx.read, ctx.orgId, after, limit), toEntry)

/** Sets the balance, for the operator. The difference becomes an entry; without one, nothing changes. */
export async function setBalance(tx: Tx, orgId: OrgId, balance: number, now: Timestamp): Promise<CreditBalance> {
  const before = await lockBalance(tx, orgId, now)
  const amount = balance - before.balance
  if (amount === 0) return toBalance(before)
  const after = { balance, updated_at: now }
  await updateBalance(tx, orgId, after)
  await insertEntry(tx, orgId, { id: newId(), amount, balance, reason: 'adjustment', created_at: now })
  noteChange(tx, 'credit_balance.updated', { type: 'credit_balance', id: null }, () => ({
    balance: { from: before.balance, to: balance },
  }))
  return toBalance(after)
}

const toBalance = ({ balance, updated_at }: BalanceRow): CreditBalance => ({
  object: 'credit_balance',
  balance,
  updated_at,
})

const toEntry = ({ id, amount, balance, reason, created_at }: EntryRow): CreditEntry => ({
  object: 'credit_entry',
  id,
  amount,
  balance,
  reason,
  created_at,
})
