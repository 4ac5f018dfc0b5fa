import { DAY_MS, HOUR_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { announce, foldCase, type Tx } from '../../../platform/db/index.ts'
import { hashToken, newId, type OrgId } from '../../../platform/ids/index.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { RateLimiter } from '../../../platform/rate-limit/index.ts'
import { listAdmins, listOwners, listRecipients } from '../../account/members/index.ts'
import { getOrganisation } from '../../account/organisations/index.ts'
import type { MailValues } from './compose.ts'
import { countWaiting, deleteMailsAbout, deleteMailsOf, insertMail } from './queries.ts'
import type { MailKind } from './texts.ts'

/** Announced when a mail is written, so that a worker sends it at once. */
export const MAILS_TOPIC = 'mails'

/** Limits the rows of an organisation or a person while the server does not accept mails. */
const WAITING_MAX = 500

/** How often each cause may send a mail within an hour. */
const PER_HOUR = {
  /** Links to one account: nobody can flood the mailbox of a person whose address they know. */
  link: 5,
  /** Forms from one address that ask for a link. More, because the people of an office share an address. */
  asking: 60,
  /** Notices to one person about their own account. */
  notice: 20,
  /** Invitations of one organisation, */
  invitation: 200,
  /** and those to one address: it can revoke an invitation and create it again. */
  invitee: 5,
  /** Notices about one webhook endpoint, which its organisation can resume again and again. */
  endpoint: 3,
  /** Submissions to one page, each to all who want to know: an attack on a page must not flood their mailboxes. */
  submission: 20,
  /** Answers to visitors of one organisation, */
  visitor: 200,
  /** and those to one address, which anybody may have entered. */
  visitor_address: 6,
}

/** No mail is retried for longer. One with a link is not sent any more when its link has expired. */
const VALID_MS: Record<MailKind, number> = {
  invitation: 3 * DAY_MS,
  reset_password: HOUR_MS,
  change_email: DAY_MS,
  email_changed: 3 * DAY_MS,
  password_changed: 3 * DAY_MS,
  factors_changed: 3 * DAY_MS,
  new_device: 3 * DAY_MS,
  endpoint_gone: 3 * DAY_MS,
  endpoint_failing: 3 * DAY_MS,
  credits_low: 3 * DAY_MS,
  credits_empty: 3 * DAY_MS,
  domain_failing: 3 * DAY_MS,
  domain_lost: 3 * DAY_MS,
  domain_taken_over: 3 * DAY_MS,
  conversation_reply: 3 * DAY_MS,
  submission: DAY_MS,
}

interface NewMail {
  causeId: string
  to: string
  /** Null if it is not known. */
  language: string | null
  kind: MailKind
  values: MailValues
  subjectId?: string
}

/** A person who gets a mail. */
interface Recipient {
  id: string
  email: string
  language: string | null
}

/** What all owners of an organisation get. */
type OwnerKind = 'endpoint_gone' | 'endpoint_failing' | 'credits_low' | 'credits_empty'
/** What all owners and admins get. */
type AdminKind = 'domain_failing' | 'domain_lost' | 'domain_taken_over'

interface VisitorMail {
  to: string
  language: string
  conversationId: string
  /** The beginning of the answer. */
  message: string
  /** Continues the conversation. */
  url: string
}

type PersonalKind = Exclude<MailKind, AdminKind | OwnerKind | 'conversation_reply' | 'invitation' | 'submission'>

interface MailServices {
  keyring: Keyring
  limiter: RateLimiter
  /** Whether the installation has an SMTP server. */
  canSend: boolean
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
  async admits(limit: keyof typeof PER_HOUR, key: string, nowMs: number): Promise<boolean> {
    if (!this.canSend) return true
    const caps = { perMinute: PER_HOUR[limit], perHour: PER_HOUR[limit] }
    return (await this.#services.limiter.take(`mail:${limit}:${key}`, caps, nowMs)).admitted
  }

  /** Both limits of an invitation to this address. */
  async admitsInvitation(orgId: OrgId, emailFolded: string, nowMs: number): Promise<boolean> {
    return (
      (await this.admits('invitee', `${orgId}:${hashToken(emailFolded)}`, nowMs)) &&
      (await this.admits('invitation', orgId, nowMs))
    )
  }

  /** Both limits of a mail to a visitor at this address. */
  async admitsVisitor(orgId: OrgId, email: string, nowMs: number): Promise<boolean> {
    return (
      (await this.admits('visitor_address', `${orgId}:${hashToken(foldCase(email))}`, nowMs)) &&
      (await this.admits('visitor', orgId, nowMs))
    )
  }

  /** False if too many mails of the organisation are waiting. */
  async invite(
    tx: Tx,
    orgId: OrgId,
    to: { email: string; language: string | null },
    values: { token: string; invitedBy?: string },
    now: Timestamp,
  ): Promise<boolean> {
    if (!this.canSend) return true
    const organisation = (await getOrganisation(tx, orgId)).name
    const { email, language } = to
    return this.#enqueue(
      tx,
      { causeId: orgId, to: email, language, kind: 'invitation', values: { ...values, organisation } },
      now,
    )
  }

  /** Writes to a person about their account. */
  async toPerson(tx: Tx, person: Recipient, kind: PersonalKind, values: MailValues, now: Timestamp): Promise<void> {
    const { id, email, language } = person
    await this.#enqueue(tx, { causeId: id, to: email, language, kind, values }, now)
  }

  /** Writes to all owners of an organisation. */
  async toOwners(tx: Tx, orgId: OrgId, kind: OwnerKind, values: MailValues, now: Timestamp): Promise<void> {
    if (this.canSend) await this.#toAll(tx, orgId, await listOwners(tx, orgId), kind, values, now)
  }

  /** Writes to all owners and admins of an organisation. */
  async toAdmins(tx: Tx, orgId: OrgId, kind: AdminKind, values: MailValues, now: Timestamp): Promise<void> {
    if (this.canSend) await this.#toAll(tx, orgId, await listAdmins(tx, orgId), kind, values, now)
  }

  /** Writes to members about a submission. Others among these people have left, and get none. */
  async aboutSubmission(
    tx: Tx,
    orgId: OrgId,
    userIds: readonly string[],
    submissionId: string,
    values: Required<Pick<MailValues, 'page' | 'number' | 'answers'>>,
    now: Timestamp,
  ): Promise<void> {
    if (!this.canSend || userIds.length === 0) return
    for (const { email, language } of await listRecipients(tx, orgId, userIds)) {
      const mail = { causeId: orgId, to: email, language, kind: 'submission' as const, subjectId: submissionId }
      await this.#enqueue(tx, { ...mail, values: { ...values, submissionId } }, now)
    }
  }

  /** Writes to a visitor about the answer of an agent. False if too many mails of the organisation are waiting. */
  async toVisitor(
    tx: Tx,
    orgId: OrgId,
    { to, language, conversationId, message, url }: VisitorMail,
    now: Timestamp,
  ): Promise<boolean> {
    const organisation = (await getOrganisation(tx, orgId)).name
    const values = { organisation, answer: message, url }
    const mail = { causeId: orgId, to, language, kind: 'conversation_reply' as const, subjectId: conversationId }
    return this.#enqueue(tx, { ...mail, values }, now)
  }

  async #toAll(
    tx: Tx,
    orgId: OrgId,
    people: readonly Omit<Recipient, 'id'>[],
    kind: MailKind,
    values: MailValues,
    now: Timestamp,
  ): Promise<void> {
    const organisation = (await getOrganisation(tx, orgId)).name
    for (const { email, language } of people) {
      const mail = { causeId: orgId, to: email, language, kind, values: { ...values, organisation } }
      await this.#enqueue(tx, mail, now)
    }
  }

  async #enqueue(
    tx: Tx,
    { causeId, to, language, kind, values, subjectId }: NewMail,
    now: Timestamp,
  ): Promise<boolean> {
    if (!this.canSend) return true
    if ((await countWaiting(tx, causeId, WAITING_MAX)) >= WAITING_MAX) return false
    await insertMail(tx, {
      id: newId(),
      cause_id: causeId,
      recipient: to,
      language: LANGUAGES.find((one) => one === language) ?? 'en',
      kind,
      sealed_values: this.#services.keyring.seal(JSON.stringify(values)),
      attempts: 0,
      due_at: now,
      expires_at: timestamp(toMs(now) + VALID_MS[kind]),
      created_at: now,
      subject_id: subjectId ?? null,
    })
    await announce(tx, MAILS_TOPIC, [causeId])
    return true
  }
}

/** Writes to a person whose second factor was added, removed or renewed. */
export const noticeFactorsChanged = (
  mails: Mails,
  tx: Tx,
  person: Recipient,
  { device, address }: { device: string; address: string },
  now: Timestamp,
): Promise<void> => mails.toPerson(tx, person, 'factors_changed', { device, address, time: now }, now)

/** Deletes mails about a resource that is being erased. */
export const dropMailsAbout = deleteMailsAbout

/** Deletes the mails of an organisation that is being deleted. */
export const dropMailsOf = deleteMailsOf
