import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Database, Tx } from '../../../platform/db/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Proof } from '../factors/index.ts'
import { auditPerson, findFirstOrganisation } from '../members/index.ts'
import { type Origin, personActor, startSession } from '../sessions/index.ts'
import type { User } from '../users/index.ts'

type FactorKind = Proof['kind']

/** Signs a person in, and notes with which factor besides or instead of the password. */
export async function startRecorded(
  tx: Tx,
  user: User,
  origin: Origin,
  factor: FactorKind | undefined,
  now: Timestamp,
): Promise<{ token: string; expiresAt: Timestamp }> {
  const orgId = (await findFirstOrganisation(tx, user.id)) ?? null
  const session = await startSession(tx, user.id, orgId, origin, now)
  await record(tx, 'session.created', user, origin, factor, now)
  return session
}

export async function record(
  tx: Tx,
  action: 'session.created' | 'session.confirmed' | 'sign_in.failed',
  user: User,
  origin: Origin,
  factor: FactorKind | undefined,
  now: Timestamp,
): Promise<void> {
  const changes = factor === undefined ? null : { factor: { from: null, to: factor } }
  const entry = { action, resource: { type: 'session', id: null }, changes }
  await auditPerson(tx, user.id, personActor(user, origin), [entry], now)
}

/** Runs in the background: the time of the response must not tell that there is an account. */
export function recordFailure(
  database: Database,
  log: Logger,
  user: User,
  origin: Origin,
  factor: FactorKind | undefined,
  now: Timestamp,
): void {
  const recorded = database.write((tx) => record(tx, 'sign_in.failed', user, origin, factor, now))
  recorded.catch((error) => log.warn({ err: error }, 'a failed sign-in could not be recorded'))
}
