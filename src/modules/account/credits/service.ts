import { insertAuditEntries, noteChange, SYSTEM } from '../../../platform/audit/index.ts'
import { type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { CursorPage, CursorQuery, Position } from '../../../platform/contract/pagination.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import { newIdAt, type OrgId } from '../../../platform/ids/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { type CreditBalance, type CreditEntry, INSUFFICIENT_CREDITS } from './contract.ts'
import { creditMails } from './mails.ts'
import {
  type BalanceRow,
  type EntryRow,
  insertEntry,
  lockBalance,
  lockOrInsertBalance,
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
  const before = await lockOrInsertBalance(tx, orgId)
  const amount = balance - before.balance
  if (amount === 0) return toBalance(before)
  const after = await change(tx, orgId, before, { amount, reason: 'adjustment', message_id: null }, now)
  noteChange(tx, 'credit_balance.updated', BALANCE, () => ({ balance: { from: before.balance, to: balance } }))
  return toBalance(after)
}

/** Throws `insufficient_credits` if the balance is short now. It may still become short before the credits are spent. */
export async function requireCredits(db: Db, orgId: OrgId, amount: number): Promise<void> {
  if (((await selectBalance(db, orgId))?.balance ?? 0) < amount) throw insufficientCredits()
}

/** Spends credits, and tells the owners when few are left. */
export class Credits {
  readonly #mails: Pick<Mails, 'toOwners'>
  readonly #lowCredits: number

  /** Below `lowCredits`, few are left. */
  constructor({ mails, lowCredits }: { mails: Pick<Mails, 'toOwners'>; lowCredits: number }) {
    this.#mails = mails
    this.#lowCredits = lowCredits
  }

  /**
   * Part of the transaction that stores what is paid for. It locks the balance until that transaction ends, so call it late.
   * Throws `insufficient_credits` if the balance is short: the transaction must then roll back.
   */
  async spend(
    tx: Tx,
    orgId: OrgId,
    amount: number,
    reason: 'answer',
    messageId: string | null,
    now: Timestamp,
  ): Promise<void> {
    if (amount === 0) return
    const before = await lockBalance(tx, orgId)
    if (before === undefined || before.balance < amount) throw insufficientCredits()
    const after = await change(tx, orgId, before, { amount: -amount, reason, message_id: messageId }, now)
    const level = this.#levelReached(before.balance, after.balance)
    if (level !== undefined) await this.#notice(tx, orgId, level, before, after)
  }

  /** What a balance has become by spending. Each level is reached once until credits are added. */
  #levelReached(before: number, after: number): 'low' | 'empty' | undefined {
    if (after === 0) return 'empty'
    return before >= this.#lowCredits && after < this.#lowCredits ? 'low' : undefined
  }

  async #notice(tx: Tx, orgId: OrgId, level: 'low' | 'empty', before: BalanceRow, after: BalanceRow): Promise<void> {
    const changes = { balance: { from: before.balance, to: after.balance } }
    const entry = { action: `credit_balance.${level}`, resource: BALANCE, changes }
    const now = after.updated_at as Timestamp
    await insertAuditEntries(tx, orgId, SYSTEM, [entry], now)
    await this.#mails.toOwners(tx, orgId, creditMails[level], { number: after.balance }, now)
  }
}

const BALANCE = { type: 'credit_balance', id: null }

const insufficientCredits = (): ApiError => new ApiError(INSUFFICIENT_CREDITS, INSUFFICIENT_CREDITS.example.message)

/**
 * Changes a balance that is locked. Each entry is later than the one before, even if its request began earlier, so that
 * the list shows the balances in the order in which they were reached.
 */
async function change(
  tx: Tx,
  orgId: OrgId,
  before: BalanceRow,
  entry: Pick<EntryRow, 'amount' | 'reason' | 'message_id'>,
  now: Timestamp,
): Promise<BalanceRow> {
  const changedAtMs = Math.max(toMs(now), toMs(before.updated_at) + 1)
  const after = { balance: before.balance + entry.amount, updated_at: timestamp(changedAtMs) }
  await updateBalance(tx, orgId, after)
  const id = newIdAt(changedAtMs)
  await insertEntry(tx, orgId, { id, ...entry, balance: after.balance, created_at: after.updated_at })
  return after
}

const toBalance = ({ balance, updated_at }: BalanceRow): CreditBalance => ({
  object: 'credit_balance',
  balance,
  updated_at,
})

const toEntry = ({ id, amount, balance, reason, message_id, created_at }: EntryRow): CreditEntry => ({
  object: 'credit_entry',
  id,
  amount,
  balance,
  reason,
  message_id,
  created_at,
})
