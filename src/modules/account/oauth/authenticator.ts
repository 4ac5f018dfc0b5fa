import { toMs } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Authenticator, Credential } from '../../../platform/http/pipeline/context.ts'
import { LastUses } from '../../../platform/http/pipeline/last-uses.ts'
import { TokenLookups } from '../../../platform/http/pipeline/token-lookups.ts'
import { hashToken, type OrgId } from '../../../platform/ids/index.ts'
import type { Caps } from '../../../platform/rate-limit/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { updateLastUsed } from '../connected-applications/index.ts'
import { scopesOf } from '../roles/index.ts'
import { nameOf } from '../sessions/index.ts'
import { accessTokens } from './token.ts'
import { type AccessRow, selectAccess } from './token-queries.ts'

interface KnownToken {
  row: AccessRow
  expiresAtMs: number
  credential: Credential
}

/** Authenticates applications by their access tokens. */
export class AccessTokenAuthenticator implements Authenticator {
  readonly prefix = accessTokens.prefix
  readonly #defaults: Caps
  readonly #lookups: TokenLookups<KnownToken>
  readonly #lastUses: LastUses

  constructor(database: Database, defaults: Caps, log: Logger) {
    this.#defaults = defaults
    this.#lookups = new TokenLookups(async (token) => {
      const row = await selectAccess(database.read, hashToken(token))
      if (row === undefined || row.kind !== 'access') return undefined
      return { row, expiresAtMs: toMs(row.expires_at), credential: this.#toCredential(row) }
    })
    this.#lastUses = new LastUses(database, log, (tx, { id, org_id }, usedAt, dueBefore) =>
      updateLastUsed(tx, org_id as OrgId, id, usedAt, dueBefore),
    )
  }

  authenticate(token: string, nowMs: number): Credential | Promise<Credential> {
    const cached = this.#lookups.cached(token, nowMs)
    if (cached !== undefined) return this.#check(cached.found, nowMs)
    if (!accessTokens.isWellFormed(token)) throw unrecognised()
    return this.#lookups.load(token, nowMs).then((found) => this.#check(found, nowMs))
  }

  /** Waits for pending writes. Call it before the database closes. */
  flush(): Promise<void> {
    return this.#lastUses.flush()
  }

  /** The grant is what stays the same when a token is refreshed. */
  #toCredential(row: AccessRow): Credential {
    const granted = String((row.payload as { scope?: string }).scope ?? '').split(' ')
    return {
      kind: 'oauth_token',
      id: row.id,
      name: row.name,
      orgId: row.org_id,
      userId: row.user_id,
      scopes: allowedScopes(granted, scopesOf(row.role)),
      grantId: row.id,
      application: { clientId: row.client_id, logoUrl: row.logo_url, person: nameOf(row) },
      caps: {
        perMinute: row.rate_per_minute ?? this.#defaults.perMinute,
        perHour: row.rate_per_hour ?? this.#defaults.perHour,
      },
    }
  }

  #check(found: KnownToken | undefined, nowMs: number): Credential {
    if (found === undefined || found.expiresAtMs <= nowMs || found.row.deactivated_at !== null) throw unrecognised()
    this.#lastUses.record(found.row, nowMs)
    return found.credential
  }
}

/** What the scopes of a token and the role of its person both allow. */
export const allowedScopes = (granted: readonly string[], ofRole: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    granted.flatMap((scope) => {
      if (ofRole.has(scope)) return [scope]
      const view = scope.replace(/\.manage$/, '.view')
      return ofRole.has(view) ? [view] : []
    }),
  )

const unrecognised = (): ApiError =>
  new ApiError('invalid_api_key', 'This access token is not valid: it has expired, or it was revoked.')
