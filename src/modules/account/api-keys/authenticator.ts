import { toMs } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Authenticator, Credential } from '../../../platform/http/pipeline/context.ts'
import { LastUses } from '../../../platform/http/pipeline/last-uses.ts'
import { TokenLookups } from '../../../platform/http/pipeline/token-lookups.ts'
import { hashToken, type OrgId } from '../../../platform/ids/index.ts'
import type { Caps } from '../../../platform/rate-limit/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { type CredentialRow, selectKeyByHash, updateLastUsed } from './queries.ts'
import { isWellFormedToken, KEY_PREFIX } from './token.ts'

interface KnownKey {
  row: CredentialRow
  credential: Credential
}

/** Authenticates API keys. */
export class ApiKeyAuthenticator implements Authenticator {
  readonly prefix = KEY_PREFIX
  readonly #defaults: Caps
  readonly #lookups: TokenLookups<KnownKey>
  readonly #lastUses: LastUses

  constructor(database: Database, defaults: Caps, log: Logger) {
    this.#defaults = defaults
    this.#lookups = new TokenLookups(async (token) => {
      const row = await selectKeyByHash(database.read, hashToken(token))
      return row && { row, credential: this.#toCredential(row) }
    })
    this.#lastUses = new LastUses(database, log, (tx, { id, org_id }, usedAt, dueBefore) =>
      updateLastUsed(tx, org_id as OrgId, id, usedAt, dueBefore),
    )
  }

  authenticate(token: string, nowMs: number): Credential | Promise<Credential> {
    const cached = this.#lookups.cached(token, nowMs)
    if (cached !== undefined) return this.#check(cached.found, nowMs)
    if (!isWellFormedToken(token)) throw unrecognised()
    return this.#lookups.load(token, nowMs).then((found) => this.#check(found, nowMs))
  }

  /** Waits for pending writes. Call it before the database closes. */
  flush(): Promise<void> {
    return this.#lastUses.flush()
  }

  #toCredential(row: CredentialRow): Credential {
    return {
      kind: 'api_key',
      id: row.id,
      name: row.name,
      orgId: row.org_id,
      userId: null,
      scopes: row.scopes === null ? 'all' : new Set(row.scopes as string[]),
      grantId: null,
      caps: {
        perMinute: row.rate_per_minute ?? this.#defaults.perMinute,
        perHour: row.rate_per_hour ?? this.#defaults.perHour,
      },
    }
  }

  #check(found: KnownKey | undefined, nowMs: number): Credential {
    if (found === undefined) throw unrecognised()
    const { row, credential } = found
    if (row.revoked_at !== null) throw new ApiError('api_key_revoked', 'This API key was revoked. Create a new one.')
    if (row.expires_at !== null && toMs(row.expires_at) <= nowMs) {
      throw new ApiError('api_key_expired', `This API key expired at ${row.expires_at}. Create a new one.`)
    }
    if (row.paused_at !== null) throw new ApiError('api_key_paused', 'This API key is paused. Resume it, then retry.')
    this.#lastUses.record(row, nowMs)
    return credential
  }
}

const unrecognised = (): ApiError =>
  new ApiError('invalid_api_key', 'This API key is not recognised. Check that you copied all of it.')
