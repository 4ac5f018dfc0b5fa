import { z } from 'zod'
import type { Actor } from '../../../platform/audit/index.ts'
import { type Timestamp, timestamp } from '../../../platform/clock/index.ts'
import { field } from '../../../platform/contract/index.ts'
import type { Database, Db, Row, Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { parsePayload } from '../../../platform/http/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { type Origin, personActor, type RenewedSession, renewSession, type SignedIn } from '../sessions/index.ts'
import { findUser, lockUser, NOTICES } from '../users/index.ts'
import { type FactorsChange, factorsChanged } from './factors-changed.ts'
import { factorMails } from './mails.ts'
import { type SentPasskey, takeTicket } from './proofs.ts'
import {
  countRecoveryCodes,
  deletePasskey,
  deletePasskeysOf,
  deleteRecoveryCodes,
  deleteTotp,
  insertPasskey,
  insertRecoveryCodes,
  insertTotp,
  selectPasskeysOf,
  selectTotp,
} from './queries.ts'
import { CODES_PER_PERSON, hashRecoveryCode, newRecoveryCode } from './recovery-codes.ts'
import type { Tickets } from './tickets.ts'
import { findStep, newSeed, seedUri } from './totp.ts'
import { creationOptions, type RelyingParty, readCredential, verifyCreation } from './webauthn.ts'

export interface PersonFactors {
  /** Undefined if the person has no authenticator app. */
  totp: { created_at: string } | undefined
  passkeys: Pick<Row<'passkeys'>, 'id' | 'name' | 'created_at' | 'last_used_at'>[]
  recoveryCodesLeft: number
}

/** A person changes their own factors. */
export interface Changer {
  person: Pick<SignedIn, 'id' | 'user_id' | 'email' | 'first_name' | 'last_name' | 'expires_at'>
  browser: string
  origin: Origin
  nowMs: number
}

/** The session has a new token. New recovery codes are shown now or never. */
export interface Changed extends RenewedSession {
  kind: 'changed'
  recoveryCodes: string[]
}

const ISSUER = 'Waymark'
const PASSKEYS_MAX = 10
const PasskeyName = z.strictObject({ name: field.name(100) })

export async function listFactors(db: Db, userId: string): Promise<PersonFactors> {
  return {
    totp: await selectTotp(db, userId),
    passkeys: await selectPasskeysOf(db, userId),
    recoveryCodesLeft: await countRecoveryCodes(db, userId),
  }
}

/** Whether a password alone is not enough to sign this person in. */
export const hasFactors = async (db: Db, userId: string): Promise<boolean> =>
  (await selectTotp(db, userId)) !== undefined || (await selectPasskeysOf(db, userId)).length > 0

/** Removes all factors of a person, who can then sign in with their password alone. */
export async function resetFactors(tx: Tx, user: { id: string }, actor: Actor, now: Timestamp): Promise<void> {
  await lockUser(tx, user.id)
  await deleteTotp(tx, user.id)
  await deletePasskeysOf(tx, user.id)
  await deleteRecoveryCodes(tx, user.id)
  await factorsChanged(tx, user, { action: 'factors_reset' }, actor, now)
}

/** Removes the factors that a person has had for less long than this. The caller has locked the account. */
export async function removeFactorsSince(
  tx: Tx,
  user: { id: string },
  since: Timestamp,
  actor: Actor,
  now: Timestamp,
): Promise<void> {
  const totp = await selectTotp(tx, user.id)
  if (totp !== undefined && totp.created_at >= since && (await deleteTotp(tx, user.id))) {
    await factorsChanged(tx, user, { action: 'factor_removed', factor: 'totp' }, actor, now)
  }
  for (const { id, created_at } of await selectPasskeysOf(tx, user.id)) {
    if (created_at < since || !(await deletePasskey(tx, user.id, id))) continue
    await factorsChanged(tx, user, { action: 'factor_removed', factor: 'passkey' }, actor, now)
  }
  if (!(await hasFactors(tx, user.id))) await deleteRecoveryCodes(tx, user.id)
}

/** Adds and removes the factors of people who are signed in. Every change gives their session a new token. */
export class Factors {
  readonly #database: Database
  readonly #keyring: Keyring
  readonly #tickets: Tickets
  readonly #mails: Mails

  constructor(database: Database, keyring: Keyring, tickets: Tickets, mails: Mails) {
    this.#database = database
    this.#keyring = keyring
    this.#tickets = tickets
    this.#mails = mails
  }

  /** Makes up a seed for an authenticator app. Nothing is stored before the person has entered a code of it. */
  offerTotp({ person, browser, nowMs }: Omit<Changer, 'origin'>): { seed: string; uri: string; ticket: string } {
    const seed = newSeed()
    const ticket = this.#tickets.issue('add_totp', { userId: person.user_id, browser, data: seed }, nowMs)
    return { seed, uri: seedUri(seed, person.email, ISSUER), ticket }
  }

  /** The seed that was offered. Undefined if it took too long. */
  async findOffer(ticket: string, { person, browser, nowMs }: Omit<Changer, 'origin'>) {
    const offer = await this.#tickets.read('add_totp', ticket, browser, nowMs)
    return offer?.userId === person.user_id
      ? { seed: offer.data, uri: seedUri(offer.data, person.email, ISSUER), ticket }
      : undefined
  }

  async addTotp(seed: string, code: string, changer: Changer): Promise<Changed | { kind: 'wrong_code' | 'exists' }> {
    const { person, nowMs } = changer
    const step = findStep(seed, code.replace(/\s/g, ''), nowMs)
    if (step === undefined) return { kind: 'wrong_code' }
    const row = { user_id: person.user_id, seed: this.#keyring.seal(seed), last_step: step }
    return this.#change(changer, { action: 'factor_added', factor: 'totp' }, async (tx) => {
      if ((await selectTotp(tx, person.user_id)) !== undefined) return { kind: 'exists' }
      await insertTotp(tx, { ...row, created_at: timestamp(nowMs) })
      return undefined
    })
  }

  /** What a browser needs to create a passkey. */
  async offerPasskey(rp: RelyingParty, { person, browser, nowMs }: Omit<Changer, 'origin'>): Promise<string> {
    const existing = await selectPasskeysOf(this.#database.read, person.user_id)
    const challenge = this.#tickets.issue('add_passkey', { userId: person.user_id, browser, data: '' }, nowMs)
    return creationOptions(rp, { id: person.user_id, email: person.email }, existing, challenge)
  }

  async addPasskey(
    { credential, rp }: Omit<SentPasskey, 'browser'>,
    name: string,
    changer: Changer,
  ): Promise<Changed | { kind: 'refused' | 'too_many' }> {
    const { person, browser, nowMs } = changer
    const passkey = { id: newId(), user_id: person.user_id, ...parsePayload(PasskeyName, { name }) }
    const sent = readCredential(credential)
    const ticket = sent && (await this.#tickets.read('add_passkey', sent.challenge, browser, nowMs))
    if (sent === undefined || ticket?.userId !== person.user_id) return { kind: 'refused' }
    const created = await verifyCreation(rp, sent)
    if (created === undefined) return { kind: 'refused' }
    const row = { ...passkey, ...created, created_at: timestamp(nowMs), last_used_at: null }
    try {
      return await this.#change(changer, { action: 'factor_added', factor: 'passkey' }, async (tx) => {
        if ((await selectPasskeysOf(tx, person.user_id)).length >= PASSKEYS_MAX) return { kind: 'too_many' }
        if (!(await takeTicket(tx, sent, ticket))) return { kind: 'refused' }
        await insertPasskey(tx, row)
        return undefined
      })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'conflict') return { kind: 'refused' }
      throw error
    }
  }

  removeTotp(changer: Changer): Promise<Changed | { kind: 'unknown' }> {
    return this.#remove(changer, 'totp', (tx) => deleteTotp(tx, changer.person.user_id))
  }

  removePasskey(id: string, changer: Changer): Promise<Changed | { kind: 'unknown' }> {
    return this.#remove(changer, 'passkey', (tx) => deletePasskey(tx, changer.person.user_id, id))
  }

  renewRecoveryCodes(changer: Changer): Promise<Changed | { kind: 'unknown' }> {
    const { user_id } = changer.person
    return this.#change(changer, { action: 'recovery_codes_renewed' }, async (tx) => {
      if (!(await hasFactors(tx, user_id))) return { kind: 'unknown' }
      await deleteRecoveryCodes(tx, user_id)
      return undefined
    })
  }

  #remove(changer: Changer, factor: 'totp' | 'passkey', remove: (tx: Tx) => Promise<boolean>) {
    return this.#change(changer, { action: 'factor_removed', factor }, async (tx) =>
      (await remove(tx)) ? undefined : ({ kind: 'unknown' } as const),
    )
  }

  /** `work` returns why it changed nothing; undefined if it did. */
  async #change<Problem extends { kind: string }>(
    { person, origin, nowMs }: Changer,
    change: FactorsChange,
    work: (tx: Tx) => Promise<Problem | undefined>,
  ): Promise<Changed | Problem> {
    const now = timestamp(nowMs)
    const isNoticed = await this.#mails.admits(NOTICES, person.user_id, nowMs)
    return this.#database.write(async (tx) => {
      await lockUser(tx, person.user_id)
      const problem = await work(tx)
      if (problem !== undefined) return problem
      const recoveryCodes = await adjustRecoveryCodes(tx, person.user_id, now)
      const user = { ...person, id: person.user_id }
      await factorsChanged(tx, user, change, personActor(user, origin), now)
      const recipient = isNoticed ? await findUser(tx, user.id) : undefined
      if (recipient !== undefined) {
        await this.#mails.toPerson(tx, recipient, factorMails.changed, { ...origin, time: now }, now)
      }
      return { kind: 'changed', recoveryCodes, ...(await renewSession(tx, person)) }
    })
  }
}

/** A person with factors has recovery codes, and a person without has none. Returns the new ones. */
async function adjustRecoveryCodes(tx: Tx, userId: string, now: Timestamp): Promise<string[]> {
  if (!(await hasFactors(tx, userId))) {
    await deleteRecoveryCodes(tx, userId)
    return []
  }
  if ((await countRecoveryCodes(tx, userId)) > 0) return []
  const codes = Array.from({ length: CODES_PER_PERSON }, newRecoveryCode)
  const rows = codes.map((code) => ({ user_id: userId, hash: hashRecoveryCode(code), created_at: now }))
  await insertRecoveryCodes(tx, rows)
  return codes
}
