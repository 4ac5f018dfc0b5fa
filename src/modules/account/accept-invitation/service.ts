import { type Actor, collectChanges, insertAuditEntries } from '../../../platform/audit/index.ts'
import { type Timestamp, timestamp } from '../../../platform/clock/index.ts'
import type { Database, Db, Tx } from '../../../platform/db/index.ts'
import { addressBlock } from '../../../platform/http/server/address-block.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { findPasswordProblem, type PasswordHasher, type PasswordProblem } from '../../../platform/passwords/index.ts'
import type { AddressProofs } from '../address-proofs/index.ts'
import type { Tickets } from '../factors/index.ts'
import { findInvitation, takeInvitation } from '../invitations/index.ts'
import { addMember, hasOwner } from '../members/index.ts'
import { findLink, takeLink } from '../one-time-links/index.ts'
import { getOrganisation, lockOrganisation } from '../organisations/index.ts'
import type { RoleName } from '../roles/index.ts'
import { type Origin, personActor, startSession } from '../sessions/index.ts'
import { findNextStep, type NextStep } from '../sign-in/index.ts'
import { confirmAddress, createUser, findUser, foldEmail, rememberLanguage, type User } from '../users/index.ts'

/** What a new person enters. */
export interface NewPerson {
  email: string
  first_name: string | null
  last_name: string | null
  password: string
  /** The language of the page. */
  language: string
}

/** An organisation that a person may join. */
export interface Offer {
  orgId: OrgId
  organisation: string
  role: RoleName
  /** Null if the person may choose their address. */
  email: string | null
  /** Whether the link proves that the person can read the mail of the address, or comes from the operator. */
  isTrusted: boolean
}

export type JoinResult =
  | { kind: 'joined'; token: string; expiresAt: Timestamp; user: User }
  /** The person is a member, and has to confirm their address before they can sign in. */
  | NextStep
  | { kind: 'weak_password'; problem: PasswordProblem }
  /** The link or invitation was used already, or has expired. */
  | { kind: 'used' }

/** How a person came here. */
export interface JoinLink {
  kind: 'set_up' | 'invitation'
  token: string
}

interface Dependencies {
  database: Database
  passwords: PasswordHasher
  tickets: Tickets
  addresses: AddressProofs
}

/** Brings people into organisations: the first owner by a link of the operator, everybody else by an invitation. */
export class Join {
  readonly #database: Database
  readonly #passwords: PasswordHasher
  readonly #tickets: Tickets
  readonly #addresses: AddressProofs

  constructor({ database, passwords, tickets, addresses }: Dependencies) {
    this.#database = database
    this.#passwords = passwords
    this.#tickets = tickets
    this.#addresses = addresses
  }

  /** Undefined if the ticket does not work any more. */
  async findOffer({ kind, token }: JoinLink, now: Timestamp): Promise<Offer | undefined> {
    const db = this.#database.read
    const found = kind === 'set_up' ? await findSetUp(db, token, now) : toInvited(await findInvitation(db, token, now))
    if (found === undefined || (kind === 'set_up' && (await hasOwner(db, found.orgId)))) return undefined
    return { ...found, organisation: (await getOrganisation(db, found.orgId)).name }
  }

  /** The name of the organisation, if a link for its first owner has not been used, but somebody else became the owner. */
  async findOwned(token: string, now: Timestamp): Promise<string | undefined> {
    const db = this.#database.read
    const found = await findSetUp(db, token, now)
    if (found === undefined || !(await hasOwner(db, found.orgId))) return undefined
    return (await getOrganisation(db, found.orgId)).name
  }

  /** Creates a person, makes them a member and signs them in. Throws `conflict` if the address has an account. */
  async joinAsNew(
    ticket: JoinLink,
    person: NewPerson,
    { origin, browser }: { origin: Origin; browser: string },
    nowMs: number,
  ): Promise<JoinResult> {
    const { password, ...fields } = person
    const problem = findPasswordProblem(password, person.email)
    if (problem !== undefined) return { kind: 'weak_password', problem }
    const now = timestamp(nowMs)
    // A wrong ticket must not cost a hash.
    if ((await this.findOffer(ticket, now)) === undefined) return { kind: 'used' }
    const passwordHash = await this.#passwords.hash(password, addressBlock(origin.address))
    return this.#database.write(async (tx) => {
      const changes = collectChanges(tx)
      const offer = await takeTicket(tx, ticket, now)
      if (offer === undefined) return { kind: 'used' }
      const email = offer.email ?? fields.email
      const user = await createUser(tx, { ...fields, email, passwordHash, isEmailConfirmed: offer.isTrusted }, now)
      await addMember(tx, offer.orgId, user.id, offer.role, now)
      await insertAuditEntries(tx, offer.orgId, personActor(user, origin), changes, now)
      const services = { tickets: this.#tickets, addresses: this.#addresses }
      const next = await findNextStep(tx, services, user, browser, nowMs)
      if (next !== undefined) {
        await this.#addresses.mailLink(tx, user, now)
        return next
      }
      return { kind: 'joined', ...(await startSession(tx, user.id, offer.orgId, origin, now)), user }
    })
  }

  /** Makes a person who has an account a member. Undefined if the ticket does not work any more. */
  joinAsMember(
    ticket: JoinLink,
    userId: string,
    language: string,
    origin: Origin,
    now: Timestamp,
  ): Promise<OrgId | undefined> {
    return this.#database.write(async (tx) => {
      const changes = collectChanges(tx)
      const [offer, user] = [await takeTicket(tx, ticket, now), await findUser(tx, userId)]
      if (offer === undefined || user === undefined) return undefined
      await addMember(tx, offer.orgId, userId, offer.role, now)
      await rememberLanguage(tx, user, language)
      const isSameAddress = offer.email !== null && foldEmail(offer.email) === foldEmail(user.email)
      if (offer.isTrusted && isSameAddress) await confirmAddress(tx, user, now)
      await insertAuditEntries(tx, offer.orgId, personActor(user, origin), changes, now)
      return offer.orgId
    })
  }

  /** `userId` is the person who is signed in, if somebody is. */
  decline(token: string, userId: string | null, { address, device }: Origin, now: Timestamp): Promise<void> {
    return this.#database.write(async (tx) => {
      const declined = await takeInvitation(tx, token, 'declined', now)
      if (declined === undefined) return
      const actor: Actor = { kind: 'person', id: userId, name: declined.email, address, userAgent: device }
      const entry = { action: 'invitation.declined', resource: { type: 'invitation', id: declined.id }, changes: null }
      await insertAuditEntries(tx, declined.orgId, actor, [entry], now)
    })
  }
}

type Ticket = Omit<Offer, 'organisation'>

const takeTicket = (tx: Tx, { kind, token }: JoinLink, now: Timestamp): Promise<Ticket | undefined> =>
  kind === 'set_up' ? takeSetUp(tx, token, now) : takeInvited(tx, token, now)

const takeInvited = async (tx: Tx, token: string, now: Timestamp): Promise<Ticket | undefined> =>
  toInvited(await takeInvitation(tx, token, 'accepted', now))

const toInvited = (found: Awaited<ReturnType<typeof findInvitation>>): Ticket | undefined =>
  found && { orgId: found.orgId, role: found.role, email: found.email, isTrusted: found.isMailed }

const findSetUp = async (db: Db, token: string, now: Timestamp): Promise<Ticket | undefined> =>
  toSetUp(await findLink(db, 'set_up', token, now))

/** Never for an organisation that has an owner. That link stays until it expires, so that its page can say why. */
async function takeSetUp(tx: Tx, token: string, now: Timestamp): Promise<Ticket | undefined> {
  const found = await findSetUp(tx, token, now)
  if (found === undefined) return undefined
  // Everybody who becomes a member locks it, too.
  await lockOrganisation(tx, found.orgId)
  return (await hasOwner(tx, found.orgId)) ? undefined : toSetUp(await takeLink(tx, 'set_up', token, now))
}

const toSetUp = (link: { org_id: string | null; email: string | null } | undefined): Ticket | undefined =>
  link && { orgId: link.org_id as OrgId, role: 'owner', email: link.email, isTrusted: true }
