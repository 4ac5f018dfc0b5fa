import type { Database } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Credential, SessionAuthenticator } from '../../../platform/http/pipeline/context.ts'
import { LastUses } from '../../../platform/http/pipeline/last-uses.ts'
import { TokenLookups } from '../../../platform/http/pipeline/token-lookups.ts'
import { SecretCookie } from '../../../platform/http/server/cookies.ts'
import { hashToken } from '../../../platform/ids/index.ts'
import type { Caps } from '../../../platform/rate-limit/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { scopesOf } from '../roles/index.ts'
import { hasEnded } from './limits.ts'
import { nameOf } from './person-actor.ts'
import { type SignedInRow, selectSessionByHash, updateLastUsed } from './queries.ts'
import { signedOut } from './service.ts'
import { isWellFormedToken } from './token.ts'

/** The page on which people who are signed in prove again who they are. */
export const CONFIRM_PATH = '/account/confirm'

interface KnownSession {
  row: SignedInRow
  /** Undefined if the person does not belong to the organisation of the session. */
  credential: Credential | undefined
}

/** A person who is signed in, and their session. */
export interface SignedIn extends SignedInRow {
  token: string
  /** Undefined if the person does not belong to the organisation of the session. */
  credential: Credential | undefined
}

/** Lax, because a link in a mail opens a page that knows who is signed in. */
export const sessionCookie = (appUrl: string): SecretCookie => new SecretCookie('waymark_session', appUrl, 'Lax')

/** Authenticates people who are signed in, by the token in their cookie. */
export class CookieAuthenticator implements SessionAuthenticator {
  readonly cookie: SecretCookie
  readonly #defaults: Caps
  readonly #lookups: TokenLookups<KnownSession>
  readonly #lastUses: LastUses

  constructor(database: Database, appUrl: string, defaults: Caps, log: Logger) {
    this.cookie = sessionCookie(appUrl)
    this.#defaults = defaults
    this.#lookups = new TokenLookups(async (token) => {
      const row = await selectSessionByHash(database.read, hashToken(token))
      return row && { row, credential: this.#toCredential(row) }
    })
    this.#lastUses = new LastUses(database, log, (tx, { id }, usedAt, dueBefore) =>
      updateLastUsed(tx, id, usedAt, dueBefore),
    )
  }

  authenticate(token: string, nowMs: number): Credential | Promise<Credential> {
    const cached = this.#lookups.cached(token, nowMs)
    if (cached !== undefined) return this.#check(cached.found, nowMs)
    if (!isWellFormedToken(token)) throw signedOut()
    return this.#lookups.load(token, nowMs).then((found) => this.#check(found, nowMs))
  }

  /** Finds people who belong to no organisation, too. Undefined if the token is not valid. */
  async find(token: string, nowMs: number): Promise<SignedIn | undefined> {
    if (!isWellFormedToken(token)) return undefined
    const cached = this.#lookups.cached(token, nowMs)
    const found = cached === undefined ? await this.#lookups.load(token, nowMs) : cached.found
    if (found === undefined || hasStopped(found.row, nowMs)) return undefined
    this.#lastUses.record(found.row, nowMs)
    return { ...found.row, token, credential: found.credential }
  }

  /** Forgets a session that this process has changed. Others notice within a second. */
  forget(token: string): void {
    this.#lookups.forget(token)
  }

  /** Waits for pending writes. Call it before the database closes. */
  flush(): Promise<void> {
    return this.#lastUses.flush()
  }

  #toCredential(row: SignedInRow): Credential | undefined {
    if (row.org_id === null || row.role === null) return undefined
    return {
      kind: 'session',
      id: row.id,
      name: nameOf(row),
      orgId: row.org_id,
      userId: row.user_id,
      scopes: scopesOf(row.role),
      grantId: null,
      signIn: { authenticatedAt: row.authenticated_at, confirmPath: CONFIRM_PATH },
      caps: {
        perMinute: row.rate_per_minute ?? this.#defaults.perMinute,
        perHour: row.rate_per_hour ?? this.#defaults.perHour,
      },
    }
  }

  #check(found: KnownSession | undefined, nowMs: number): Credential {
    if (found === undefined || hasStopped(found.row, nowMs)) throw signedOut()
    if (found.credential === undefined) {
      throw new ApiError('forbidden', 'You do not belong to this organisation. Choose another one in your account.')
    }
    this.#lastUses.record(found.row, nowMs)
    return found.credential
  }
}

const hasStopped = (row: SignedInRow, nowMs: number): boolean => row.deactivated_at !== null || hasEnded(row, nowMs)
