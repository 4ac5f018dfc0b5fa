import { timestamp } from '../../../platform/clock/index.ts'
import type { Database, Tx } from '../../../platform/db/index.ts'
import { hashToken } from '../../../platform/ids/index.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import {
  selectPasskey,
  selectPasskeysOf,
  selectTotp,
  takeChallenge,
  takeRecoveryCode,
  takeStep,
  updatePasskeyUse,
} from './queries.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import type { PasskeyUse, Ticket, Tickets } from './tickets.ts'
import { findStep } from './totp.ts'
import { type RelyingParty, readCredential, requestOptions, type SentCredential, verifySignature } from './webauthn.ts'

/** Proves who a person is, if `take` returns true: each proof works once, which the database decides. */
export interface Proof {
  kind: 'totp' | 'recovery_code' | 'passkey'
  userId: string
  take: (tx: Tx) => Promise<boolean>
}

/** What a browser sends for a passkey. */
export interface SentPasskey {
  /** The credential as JSON. */
  credential: string
  browser: string
  rp: RelyingParty
}

const TOTP_CODE = /^\d{6}$/

/** Checks codes and passkeys. */
export class Proofs {
  readonly #database: Database
  readonly #keyring: Keyring
  readonly #tickets: Tickets

  constructor(database: Database, keyring: Keyring, tickets: Tickets) {
    this.#database = database
    this.#keyring = keyring
    this.#tickets = tickets
  }

  /** Checks a code of an authenticator app, or a recovery code. */
  async checkCode(userId: string, typed: string, nowMs: number): Promise<Proof | undefined> {
    const code = typed.replace(/\s/g, '')
    if (!TOTP_CODE.test(code)) {
      const hash = hashRecoveryCode(code)
      return { kind: 'recovery_code', userId, take: (tx) => takeRecoveryCode(tx, userId, hash) }
    }
    const secret = await selectTotp(this.#database.read, userId)
    if (secret === undefined) return undefined
    const seed = await this.#keyring.open(secret.seed, this.#database.read, nowMs)
    const step = findStep(seed, code, nowMs)
    if (step === undefined) return undefined
    return { kind: 'totp', userId, take: (tx) => takeStep(tx, userId, secret.seed, step) }
  }

  /** What a browser needs to ask for a passkey: any, or one of this person. Undefined if they have none. */
  async askForPasskey(
    use: PasskeyUse,
    userId: string | null,
    { browser, rp }: Omit<SentPasskey, 'credential'>,
    nowMs: number,
  ): Promise<string | undefined> {
    const passkeys = userId === null ? undefined : await selectPasskeysOf(this.#database.read, userId)
    if (passkeys?.length === 0) return undefined
    const challenge = this.#tickets.issue(use, { userId, browser, data: '' }, nowMs)
    return requestOptions(rp, challenge, passkeys, isAlone(use))
  }

  /**
   * Checks a passkey. Alone, it has to verify the person, by a fingerprint or a PIN: having the device is not enough.
   * With `userId`, it has to belong to that person.
   */
  async checkPasskey(
    use: PasskeyUse,
    userId: string | null,
    { credential, browser, rp }: SentPasskey,
    nowMs: number,
  ): Promise<Proof | undefined> {
    const sent = readCredential(credential)
    if (sent === undefined) return undefined
    const ticket = await this.#tickets.read(use, sent.challenge, browser, nowMs)
    if (ticket === undefined || ticket.userId !== userId) return undefined
    const passkey = await selectPasskey(this.#database.read, sent.credentialId)
    if (passkey === undefined || passkey.user_id !== (userId ?? passkey.user_id)) return undefined
    if (passkey.user_id !== (sent.userId ?? passkey.user_id)) return undefined
    const counter = await verifySignature(rp, sent, passkey, isAlone(use))
    if (counter === undefined) return undefined
    return {
      kind: 'passkey',
      userId: passkey.user_id,
      take: async (tx) =>
        (await takeTicket(tx, sent, ticket)) && (await updatePasskeyUse(tx, passkey.id, counter, timestamp(nowMs))),
    }
  }
}

/** Whether nothing else proves who the person is. */
const isAlone = (use: PasskeyUse): boolean => use !== 'second_factor'

/** Uses up the ticket that a passkey has signed. */
export const takeTicket = (tx: Tx, { challenge }: SentCredential, { expiresAtMs }: Ticket): Promise<boolean> =>
  takeChallenge(tx, hashToken(challenge), timestamp(expiresAtMs))
