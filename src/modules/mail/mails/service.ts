import { DAY_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { announce, type Db, type Tx } from '../../../platform/db/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { RateLimiter } from '../../../platform/rate-limit/index.ts'
import type { Mail, MailLimit } from './declaration.ts'
import { countWaiting, deleteMailsAbout, deleteMailsOf, insertMail } from './queries.ts'

/** Announced when a mail is written, so that a worker sends it at once. */
export const MAILS_TOPIC = 'mails'

/** Limits the rows of an organisation or a person while the server does not accept mails. */
const WAITING_MAX = 500
const VALID_MS = 3 * DAY_MS

interface Recipient {
  email: string
  /** Null if it is not known. */
  language: string | null
}

/** Finds the people of an organisation. It is passed in, because mails know no other group. */
export interface OrganisationPeople {
  getName(db: Db, orgId: OrgId): Promise<string>
  listOwners(db: Db, orgId: OrgId): Promise<Recipient[]>
  /** Lists owners and admins. */
  listAdmins(db: Db, orgId: OrgId): Promise<Recipient[]>
  /** Lists members whose role has a scope, without one of them. */
  listHolders(db: Db, orgId: OrgId, scope: string, exceptUserId: string | null): Promise<Recipient[]>
  /** Lists those of these people who are members. */
  listMembers(db: Db, orgId: OrgId, userIds: readonly string[]): Promise<Recipient[]>
  /** Whether the address is that of a member. */
  hasMember(db: Db, orgId: OrgId, email: string): Promise<boolean>
}

interface MailServices {
  keyring: Keyring
  limiter: RateLimiter
  people: OrganisationPeople
  /** Whether the installation has an SMTP server. */
  canSend: boolean
}

/** What a mail of an organisation is about. */
interface Subject {
  orgId: OrgId
  /** The resource that the mail quotes. When it is erased, so is the mail. */
  subjectId?: string | null
}

/**
 * Writes mails in the transaction that causes them; a worker sends them. Without an SMTP server it writes nothing, and
 * the pages show links to the people who may see them instead.
 */
export class Mails {
  readonly #services: MailServices

  constructor(services: MailServices) {
    this.#services = services
  }

  get canSend(): boolean {
    return this.#services.canSend
  }

  /**
   * Counts a mail against a limit. False if there were too many within an hour. Call it before the transaction: it may use
   * a connection of its own.
   */
  async admits({ name, perHour }: MailLimit, key: string, nowMs: number): Promise<boolean> {
    if (!this.canSend) return true
    const caps = { perMinute: perHour, perHour }
    return (await this.#services.limiter.take(`mail:${name}:${key}`, caps, nowMs)).admitted
  }

  /** Writes to a person about their account. */
  async toPerson<Values extends object>(
    tx: Tx,
    person: Recipient & { id: string },
    mail: Mail<Values>,
    values: NoInfer<Values>,
    now: Timestamp,
  ): Promise<void> {
    if (this.canSend) await this.#write(tx, person.id, null, person, mail, values, now)
  }

  /** Writes to all owners of an organisation. */
  async toOwners<Values extends object>(
    tx: Tx,
    orgId: OrgId,
    mail: Mail<Values>,
    values: NoInfer<Values>,
    now: Timestamp,
  ): Promise<void> {
    await this.#toAll(tx, orgId, 'listOwners', mail, values, now)
  }

  /** Writes to all owners and admins of an organisation. */
  async toAdmins<Values extends object>(
    tx: Tx,
    orgId: OrgId,
    mail: Mail<Values>,
    values: NoInfer<Values>,
    now: Timestamp,
  ): Promise<void> {
    await this.#toAll(tx, orgId, 'listAdmins', mail, values, now)
  }

  /** Writes to some members of an organisation. Others among these people have left, and get none. */
  async toMembers<Values extends object>(
    tx: Tx,
    { orgId, subjectId = null }: Subject,
    userIds: readonly string[],
    mail: Mail<Values>,
    values: NoInfer<Values>,
    now: Timestamp,
  ): Promise<void> {
    if (!this.canSend || userIds.length === 0) return
    for (const member of await this.#services.people.listMembers(tx, orgId, userIds)) {
      await this.#write(tx, orgId, subjectId, member, mail, values, now)
    }
  }

  /** Writes to the members whose role has a scope, without the one who causes it. Returns how many mails it wrote. */
  async toHolders<Values extends object>(
    tx: Tx,
    { orgId, subjectId = null }: Subject,
    { scope, exceptUserId }: { scope: string; exceptUserId: string | null },
    mail: Mail<Values>,
    values: NoInfer<Values>,
    now: Timestamp,
  ): Promise<number> {
    if (!this.canSend) return 0
    const { people } = this.#services
    const organisation = await people.getName(tx, orgId)
    let written = 0
    for (const holder of await people.listHolders(tx, orgId, scope, exceptUserId)) {
      if (await this.#write(tx, orgId, subjectId, holder, mail, { ...values, organisation }, now)) written++
    }
    return written
  }

  /** Writes to somebody outside the organisation. False if too many mails of the organisation are waiting. */
  async toOutsider<Values extends object>(
    tx: Tx,
    { orgId, subjectId = null }: Subject,
    to: Recipient,
    mail: Mail<Values>,
    values: NoInfer<Values>,
    now: Timestamp,
  ): Promise<boolean> {
    if (!this.canSend) return true
    const organisation = await this.#services.people.getName(tx, orgId)
    return this.#write(tx, orgId, subjectId, to, mail, { ...values, organisation }, now)
  }

  async #toAll<Values extends object>(
    tx: Tx,
    orgId: OrgId,
    list: 'listOwners' | 'listAdmins',
    mail: Mail<Values>,
    values: Values,
    now: Timestamp,
  ): Promise<void> {
    if (!this.canSend) return
    const { people } = this.#services
    const organisation = await people.getName(tx, orgId)
    for (const to of await people[list](tx, orgId))
      await this.#write(tx, orgId, null, to, mail, { ...values, organisation }, now)
  }

  async #write<Values extends object>(
    tx: Tx,
    causeId: string,
    subjectId: string | null,
    { email, language }: Recipient,
    { kind, validMs = VALID_MS }: Mail<Values>,
    values: Values,
    now: Timestamp,
  ): Promise<boolean> {
    if ((await countWaiting(tx, causeId, WAITING_MAX)) >= WAITING_MAX) return false
    await insertMail(tx, {
      id: newId(),
      cause_id: causeId,
      recipient: email,
      language: LANGUAGES.find((one) => one === language) ?? 'en',
      kind,
      sealed_values: this.#services.keyring.seal(JSON.stringify(values)),
      attempts: 0,
      due_at: now,
      expires_at: timestamp(toMs(now) + validMs),
      created_at: now,
      subject_id: subjectId,
    })
    await announce(tx, MAILS_TOPIC, [causeId])
    return true
  }
}

/** Deletes mails about a resource that is being erased. */
export const dropMailsAbout = deleteMailsAbout

/** Deletes the mails of an organisation that is being deleted. */
export const dropMailsOf = deleteMailsOf
