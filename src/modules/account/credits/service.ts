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
  selectWithoutCredits,
  updateBalance,
} from './queries.ts'

export const listEntries = (
  ctx: Context,
  query: CursorQuery,
  after: Position | undefined,
): Promise<CursorPage<CreditEntry>> =>
  cursorPage(query, (limit) => selectEntries(ctx.read, ctx.orgId, after, limit), toEntry)

/** Visitors must leave this part of a balance, as it was set, to people who are signed in and to programs. */
const RESERVED_SHARE = 0.1
const RESERVED_MAX = 50

const reservedOf = (balance: number): number => Math.min(RESERVED_MAX, Math.floor(balance * RESERVED_SHARE))

/** The credits of a new organisation. Whether they are charged is decided by the settings of the installation. */
export const grantCredits = (tx: Tx, orgId: OrgId, balance: number, now: Timestamp): Promise<BalanceRow> =>
  adjust(tx, orgId, { balance }, now)

/**
 * Sets the balance, for the operator. The difference becomes an entry; without one, the ledger does not change. From now on
 * answers are charged, also where they cost nothing otherwise.
 */
export const setBalance = (tx: Tx, orgId: OrgId, balance: number, now: Timestamp): Promise<BalanceRow> =>
  adjust(tx, orgId, { balance, is_metered: true }, now)

/** Lets answers cost nothing, for the operator, also where they are charged otherwise. The balance is kept. */
export const setUnlimited = (tx: Tx, orgId: OrgId, now: Timestamp): Promise<BalanceRow> =>
  adjust(tx, orgId, { is_metered: false }, now)

async function adjust(
  tx: Tx,
  orgId: OrgId,
  changes: { balance?: number; is_metered?: boolean },
  now: Timestamp,
): Promise<BalanceRow> {
  const before = await lockOrInsertBalance(tx, orgId)
  const { balance = before.balance, is_metered = before.is_metered } = changes
  const reserved = changes.balance === undefined ? before.reserved : reservedOf(balance)
  const amount = balance - before.balance
  if (amount === 0 && is_metered === before.is_metered) return before
  const settings = { ...before, is_metered, reserved }
  const after = await change(tx, orgId, settings, { amount, reason: 'adjustment', message_id: null }, now)
  noteChange(tx, 'credit_balance.updated', BALANCE, () => ({
    ...(amount !== 0 && { balance: { from: before.balance, to: balance } }),
    ...(is_metered !== before.is_metered && { is_metered: { from: before.is_metered, to: is_metered } }),
  }))
  return after
}

/** Organisations whose chatbots cannot answer, because they have no credits left. For the operator. */
export const listWithoutCredits = async (db: Db, isMetered: boolean, limit: number): Promise<string[]> =>
  (await selectWithoutCredits(db, isMetered, limit)).map(({ slug }) => slug)

/** Who asks: somebody on a public page, or a person who is signed in or a program with a credential. */
export type Asker = 'visitor' | 'team'

interface CreditSettings {
  mails: Pick<Mails, 'toOwners'>
  /** Below it, few are left. */
  lowCredits: number
  /** Whether answers cost something unless the operator has decided otherwise for an organisation. */
  isMetered: boolean
}

/** Spends credits, and tells the owners when few are left. */
export class Credits {
  readonly #settings: CreditSettings

  constructor(settings: CreditSettings) {
    this.#settings = settings
  }

  async getBalance({ read, orgId }: Pick<Context, 'read' | 'orgId'>): Promise<CreditBalance> {
    const row = (await selectBalance(read, orgId)) ?? (await selectFirstBalance(read, orgId))
    const isMetered = this.#isMetered(row)
    const balance = isMetered ? row.balance : null
    return { object: 'credit_balance', balance, unlimited: !isMetered, updated_at: row.updated_at }
  }

  /** What an asker may spend now. It may become less before it is spent. `Infinity` if answers cost nothing. */
  async available(db: Db, orgId: OrgId, asker: Asker): Promise<number> {
    const row = await selectBalance(db, orgId)
    if (!this.#isMetered(row)) return Number.POSITIVE_INFINITY
    return row === undefined ? 0 : availableIn(row, asker)
  }

  /** Throws `insufficient_credits` if the balance is short now. */
  async require(db: Db, orgId: OrgId, amount: number, asker: Asker): Promise<void> {
    if ((await this.available(db, orgId, asker)) < amount) throw insufficientCredits()
  }

  /** What is charged for something that costs so many credits: nothing if the organisation is not metered. */
  async priceOf(db: Db, orgId: OrgId, amount: number): Promise<number> {
    return amount > 0 && this.#isMetered(await selectBalance(db, orgId)) ? amount : 0
  }

  /**
   * Part of the transaction that stores what is paid for. It locks the balance until that transaction ends, so call it late.
   * Throws `insufficient_credits` if the balance is short: the transaction must then roll back.
   */
  async spend(
    tx: Tx,
    orgId: OrgId,
    amount: number,
    { messageId, asker }: { messageId: string | null; asker: Asker },
    now: Timestamp,
  ): Promise<void> {
    if (amount === 0) return
    const before = await lockBalance(tx, orgId)
    if (before === undefined || availableIn(before, asker) < amount) throw insufficientCredits()
    const entry = { amount: -amount, reason: 'answer' as const, message_id: messageId }
    const after = await change(tx, orgId, before, entry, now)
    const level = this.#levelReached(before, after)
    if (level !== undefined) await this.#notice(tx, orgId, level, before, after)
  }

  #isMetered(row: BalanceRow | undefined): boolean {
    return row?.is_metered ?? this.#settings.isMetered
  }

  /** What a balance has become by spending. Each level is reached once until credits are added. */
  #levelReached(before: BalanceRow, after: BalanceRow): keyof typeof creditMails | undefined {
    const { lowCredits } = this.#settings
    if (after.balance === 0) return 'empty'
    if (before.balance > before.reserved && after.balance <= after.reserved) return 'reserved'
    return before.balance >= lowCredits && after.balance < lowCredits ? 'low' : undefined
  }

  async #notice(
    tx: Tx,
    orgId: OrgId,
    level: keyof typeof creditMails,
    before: BalanceRow,
    after: BalanceRow,
  ): Promise<void> {
    const changes = { balance: { from: before.balance, to: after.balance } }
    const entry = { action: `credit_balance.${level}`, resource: BALANCE, changes }
    const now = after.updated_at as Timestamp
    await insertAuditEntries(tx, orgId, SYSTEM, [entry], now)
    await this.#settings.mails.toOwners(tx, orgId, creditMails[level], { number: after.balance }, now)
  }
}

const availableIn = ({ balance, reserved }: BalanceRow, asker: Asker): number =>
  asker === 'visitor' ? Math.max(0, balance - reserved) : balance

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
  const after = { ...before, balance: before.balance + entry.amount, updated_at: timestamp(changedAtMs) }
  await updateBalance(tx, orgId, after)
  if (entry.amount === 0) return after
  const id = newIdAt(changedAtMs)
  await insertEntry(tx, orgId, { id, ...entry, balance: after.balance, created_at: after.updated_at })
  return after
}

const toEntry = ({ id, amount, balance, reason, message_id, created_at }: EntryRow): CreditEntry => ({
  object: 'credit_entry',
  id,
  amount,
  balance,
  reason,
  message_id,
  created_at,
})
