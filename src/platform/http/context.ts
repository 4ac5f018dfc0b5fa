import type { Timestamp } from '../clock/index.ts'
import type { Db, Tx } from '../db/index.ts'
import type { OrgId } from '../ids/index.ts'
import type { Caps } from '../rate-limit/index.ts'
import type { Logger } from '../telemetry/logging.ts'

/** Who is calling, whatever kind of credential they showed. */
export interface Credential {
  readonly kind: 'api_key'
  readonly id: string
  readonly name: string
  readonly orgId: OrgId
  readonly scopes: 'all' | ReadonlySet<string>
  /** The OAuth grant it was made under; null for a key or a session. */
  readonly grantId: string | null
  readonly caps: Caps
}

/** Recognises a bearer token by its look; throws the `ApiError` of whatever is wrong with the credential. */
export interface Authenticator {
  readonly prefix: string
  authenticate(token: string, nowMs: number): Credential | Promise<Credential>
}

/** What every service is given: the caller, the moment, and the way to the data. */
export interface Context {
  readonly orgId: OrgId
  readonly credential: Credential
  readonly now: Timestamp
  readonly log: Logger
  readonly read: Db
  readonly readLong: Db
  /**
   * One transaction. In a POST what `work` resolves to is the answer, and when the caller sent an
   * `Idempotency-Key` it is stored by this same transaction; so a POST writes once, and last.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}
