import { HOUR_MS, MINUTE_MS, SECOND_MS, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Language } from '../../../platform/contract/languages.ts'
import type { Database, Db, Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { Letter, LetterSender } from '../../../platform/mail/index.ts'
import { SEND_MS_MAX } from '../../../platform/mail/limits.ts'
import { compose } from './compose.ts'
import type { MailCatalogue } from './declaration.ts'
import { deleteMail, lockDue, type MailRow, selectDueCause, updateDue } from './queries.ts'
import type { OrganisationPeople } from './service.ts'

/**
 * A mail waits until it is due. A worker claims it by moving `due_at` to the end of a lease. Then it is sent and deleted,
 * or waits again, or is given up and deleted.
 *
 * If the worker dies, the mail is due again when the lease ends. If it dies between sending and deleting, the mail is
 * sent twice, with the same Message-ID: one repetition is better than a lost link.
 */

/** Longer than any attempt, and the transaction after it. */
const LEASE_MS = SEND_MS_MAX + 30 * SECOND_MS

/** The wait after each attempt; after the last, the same again. Mail servers that refuse strangers accept the second one. */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS]

/** Sorts before the IDs of all organisations and people. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

export interface ClaimedMail extends Pick<MailRow, 'id' | 'kind' | 'recipient' | 'attempts' | 'expires_at'> {
  letter: Letter
}

export interface SendingServices {
  database: Database
  keyring: Keyring
  catalogue: MailCatalogue
  people: OrganisationPeople
  /** The organisation with this ID. Undefined for the ID of a person. */
  findSender(db: Db, id: string): Promise<LetterSender | undefined>
  appUrl: string
}

/** The next organisation or person after this one that has a due mail. */
export async function findNextCause(database: Database, after: string, nowMs: number): Promise<string | undefined> {
  const now = timestamp(nowMs)
  return (
    (await selectDueCause(database.read, after, now)) ??
    (after === BEFORE_ALL ? undefined : await selectDueCause(database.read, BEFORE_ALL, now))
  )
}

/** Undefined if another worker was faster. */
export async function claimMail(
  { database, keyring, catalogue, people, findSender, appUrl }: SendingServices,
  causeId: string,
  nowMs: number,
): Promise<ClaimedMail | undefined> {
  const hasLeft = async (tx: Tx, { kind, cause_id, recipient }: MailRow) =>
    catalogue.get(kind)?.isForMembers === true && !(await people.hasMember(tx, cause_id as OrgId, recipient))
  const row = await database.write(async (tx) => {
    const due = await lockDue(tx, causeId, timestamp(nowMs))
    if (due === undefined) return undefined
    // Nothing was sent for days, and its link does not work any more. Or it is no business of the recipient any more.
    if (due.expires_at <= timestamp(nowMs) || (await hasLeft(tx, due))) {
      await deleteMail(tx, due.id)
      return undefined
    }
    const attempts = due.attempts + 1
    await updateDue(tx, due.id, attempts, timestamp(nowMs + LEASE_MS))
    return { ...due, attempts }
  })
  if (row === undefined) return undefined
  const mail = catalogue.get(row.kind)
  // A newer release has written it. It is due again when its lease ends, for a worker that knows it.
  if (mail === undefined) throw new Error(`The mail ${row.kind} is not declared.`)
  const values = JSON.parse(await keyring.open(row.sealed_values, database.read, nowMs)) as never
  const sender = await findSender(database.read, row.cause_id)
  return { ...row, letter: compose(mail, row.language as Language, values, appUrl, sender) }
}

export const settleSent = (database: Database, { id }: ClaimedMail): Promise<void> =>
  database.write((tx) => deleteMail(tx, id))

/** Called after an attempt that failed. */
export async function settleFailed(
  database: Database,
  { id, attempts, expires_at }: ClaimedMail,
  isPermanent: boolean,
  nowMs: number,
): Promise<'retried' | 'given_up'> {
  const dueMs = nowMs + (WAITS_MS[Math.min(attempts, WAITS_MS.length) - 1] as number)
  const isOver = isPermanent || dueMs >= toMs(expires_at)
  await database.write((tx) => (isOver ? deleteMail(tx, id) : updateDue(tx, id, attempts, timestamp(dueMs))))
  return isOver ? 'given_up' : 'retried'
}

/** On the next start the mails would be sent again, perhaps with links that were used since. */
export const MAIL_TABLES_LEFT_OUT = { mails: 'a restored mail would be sent again' }
