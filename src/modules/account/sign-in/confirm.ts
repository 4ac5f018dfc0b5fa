import { timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { addressBlock } from '../../../platform/http/server/address-block.ts'
import type { PasswordHasher } from '../../../platform/passwords/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { hasFactors, type Proof, type Proofs, type SentPasskey } from '../factors/index.ts'
import { type Origin, type RenewedSession, renewSession, type SignedIn } from '../sessions/index.ts'
import { findUser, isUnchanged, lockUser, type User } from '../users/index.ts'
import type { Attempts } from './attempts.ts'
import { record, recordFailure } from './records.ts'

export type ConfirmResult =
  | ({ kind: 'confirmed' } & RenewedSession)
  | { kind: 'refused' }
  | { kind: 'too_soon'; retryAfterSeconds: number }

/** The password, and a code if the person has a factor; or a passkey alone. */
export type SentProof = { password: string; code: string } | SentPasskey

interface Dependencies {
  database: Database
  passwords: PasswordHasher
  proofs: Proofs
  attempts: Attempts
  log: Logger
}

/** Lets a person who is signed in prove again who they are, with all that they need to sign in. */
export class Confirm {
  readonly #uses: Dependencies

  constructor(dependencies: Dependencies) {
    this.#uses = dependencies
  }

  async confirm(
    person: Pick<SignedIn, 'id' | 'user_id' | 'expires_at'>,
    sent: SentProof,
    { origin, knownUserId }: { origin: Origin; knownUserId: string | undefined },
    nowMs: number,
  ): Promise<ConfirmResult> {
    const { database, attempts, log } = this.#uses
    const user = await findUser(database.read, person.user_id)
    if (user === undefined) return { kind: 'refused' }
    const trying = { email: user.email, userId: user.id, knownUserId, origin }
    const needsFactor = await hasFactors(database.read, user.id)
    const attempt = needsFactor ? attempts.factor(trying, nowMs) : attempts.password(trying, nowMs)
    if (!('succeed' in attempt)) return { kind: 'too_soon', ...attempt }
    const proof = await this.#check(user, sent, needsFactor, origin, nowMs)
    const now = timestamp(nowMs)
    const session =
      proof === undefined
        ? undefined
        : await database.write(async (tx) => {
            if (!isUnchanged(user, await lockUser(tx, user.id))) return undefined
            if (proof === 'password' ? await hasFactors(tx, user.id) : !(await proof.take(tx))) return undefined
            await record(tx, 'session.confirmed', user, origin, proof === 'password' ? undefined : proof.kind, now)
            return renewSession(tx, person, now)
          })
    if (session === undefined) {
      recordFailure(database, log, user, origin, undefined, now)
      return { kind: 'refused' }
    }
    attempt.succeed()
    return { kind: 'confirmed', ...session }
  }

  async #check(
    user: User,
    sent: SentProof,
    needsFactor: boolean,
    { address }: Origin,
    nowMs: number,
  ): Promise<Proof | 'password' | undefined> {
    const { passwords, proofs } = this.#uses
    if ('credential' in sent) return proofs.checkPasskey('confirm', user.id, sent, nowMs)
    const isRight = await passwords.verify(sent.password, user.password_hash, addressBlock(address))
    if (!isRight) return undefined
    return needsFactor ? proofs.checkCode(user.id, sent.code, nowMs) : 'password'
  }
}
