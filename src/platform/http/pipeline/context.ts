import type { Actor } from '../../audit/index.ts'
import type { Timestamp } from '../../clock/index.ts'
import type { Db, Tx } from '../../db/index.ts'
import type { OrgId } from '../../ids/index.ts'
import type { Caps } from '../../rate-limit/index.ts'
import type { Logger } from '../../telemetry/logging.ts'
import type { SecretCookie } from '../server/cookies.ts'
import type { ReceivedRequest } from './exchange.ts'

/** The authenticated caller. */
export interface Credential {
  readonly kind: 'api_key' | 'session' | 'oauth_token'
  /** For an access token this is its grant, which stays the same when the token is refreshed. */
  readonly id: string
  readonly name: string
  readonly orgId: OrgId
  /** The person who is signed in, or for whom an application acts; null for an API key. */
  readonly userId: string | null
  /** A set with `all` allows everything, and the scopes beside it that must be named. */
  readonly scopes: 'all' | ReadonlySet<string>
  /** The OAuth grant that issued it; null for a key or a session. */
  readonly grantId: string | null
  /** Only of an access token. */
  readonly application?: Application
  readonly caps: Caps
  /** Only of a session. */
  readonly signIn?: SignInProof
}

/** When the person of a session last proved who they are, and on which page they can do it again. */
interface SignInProof {
  readonly authenticatedAt: string
  readonly confirmPath: string
}

/** An application that acts for a person. Its name is the name of the credential. */
interface Application {
  readonly clientId: string
  readonly logoUrl: string | null
  /** The name of the person. */
  readonly person: string
}

/** Authenticates the bearer tokens that start with its prefix. Throws an `ApiError` if a token is not accepted. */
export interface Authenticator {
  readonly prefix: string
  authenticate(token: string, nowMs: number): Credential | Promise<Credential>
}

/** Sees every request of a known caller. It must not take time. */
export interface UseObserver {
  used(credential: Credential, sent: Pick<ReceivedRequest, 'address' | 'headers'>, nowMs: number): void
}

/** Authenticates people who are signed in, by the value of a cookie. Throws an `ApiError` if it is not accepted. */
export interface SessionAuthenticator {
  readonly cookie: SecretCookie
  authenticate(token: string, nowMs: number): Credential | Promise<Credential>
}

export interface Context {
  readonly orgId: OrgId
  readonly credential: Credential
  /** Who is responsible for what is changed. */
  readonly actor: Actor
  readonly now: Timestamp
  readonly log: Logger
  /** Aborted when the client has left: nobody waits for the response any more. */
  readonly signal: AbortSignal
  readonly read: Db
  readonly readLong: Db
  /**
   * Runs `work` in a transaction. In a POST the result of `work` is the response. With an `Idempotency-Key`, the same
   * transaction stores that response, so a POST handler calls `write` once, as its last action. If the client leaves
   * while the transaction waits for its turn, it does not run.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for many rows, or for much that is read and little that is written (`Database.writeInPieces`). */
  writeInPieces<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Lets others use the main thread before a part that takes milliseconds. Not in a transaction: others wait for that, too. */
  pause(): Promise<void>
}
