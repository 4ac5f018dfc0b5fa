import { MINUTE_MS, SECOND_MS, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { withTimeout } from '../../../platform/db/timeout.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Authenticator, Credential } from '../../../platform/http/context.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Caps } from '../../../platform/rate-limit/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { type CredentialRow, selectKeyByHash, updateLastUsed } from './queries.ts'
import { hashToken, isWellFormedToken, KEY_PREFIX } from './token.ts'

/** A change of a key or a rate limit must apply everywhere within one second. The other half is for the lookup. */
const CACHE_MS = 500
const LAST_USED_INTERVAL_MS = MINUTE_MS
/** A lookup that never ends must not hold up all later requests with the same key. */
const LOOKUP_TIMEOUT_MS = 4 * SECOND_MS
/** Limit the memory. Clearing a full cache is cheap, because entries expire soon anyway. */
const KNOWN_MAX = 10_000
const UNKNOWN_MAX = 1000

type LookupResult = { row: CredentialRow; credential: Credential } | 'unknown'

interface CacheEntry {
  result: LookupResult
  loadedAtMs: number
}

function setBounded<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  if (map.size >= max && !map.has(key)) map.clear()
  map.set(key, value)
}

/** Authenticates API keys. Looks up a key at most twice a second, no matter how often it is used. */
export class ApiKeyAuthenticator implements Authenticator {
  readonly prefix = KEY_PREFIX
  readonly #database: Database
  readonly #defaults: Caps
  readonly #log: Logger
  /** The cache key is the API key itself: checking and hashing it would take longer than the rest of the work. */
  readonly #known = new Map<string, CacheEntry>()
  /** Separate, so that guessed keys do not displace known ones. */
  readonly #unknown = new Map<string, CacheEntry>()
  readonly #lookups = new Map<string, Promise<LookupResult>>()
  readonly #writes = new Set<Promise<unknown>>()
  readonly #lastUsedMs = new Map<string, number>()

  constructor(database: Database, defaults: Caps, log: Logger) {
    this.#database = database
    this.#defaults = defaults
    this.#log = log
  }

  authenticate(token: string, nowMs: number): Credential | Promise<Credential> {
    const cached = this.#known.get(token) ?? this.#unknown.get(token)
    if (cached !== undefined && nowMs - cached.loadedAtMs < CACHE_MS) return this.#check(cached.result, nowMs)
    if (!isWellFormedToken(token)) throw unrecognised()
    return this.#lookup(token, nowMs).then((result) => this.#check(result, nowMs))
  }

  /** Waits for pending writes. Call it before the database closes. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#writes)
  }

  /** Concurrent requests with the same key share one lookup. */
  #lookup(token: string, nowMs: number): Promise<LookupResult> {
    let lookup = this.#lookups.get(token)
    if (lookup === undefined) {
      lookup = withTimeout(this.#load(token, nowMs), LOOKUP_TIMEOUT_MS).finally(() => this.#lookups.delete(token))
      this.#lookups.set(token, lookup)
    }
    return lookup
  }

  async #load(token: string, nowMs: number): Promise<LookupResult> {
    const row = await selectKeyByHash(this.#database.read, hashToken(token))
    const result = row === undefined ? 'unknown' : { row, credential: this.#toCredential(row) }
    const [cache, max] = row === undefined ? [this.#unknown, UNKNOWN_MAX] : [this.#known, KNOWN_MAX]
    setBounded(cache, token, { result, loadedAtMs: nowMs }, max)
    return result
  }

  #toCredential(row: CredentialRow): Credential {
    return {
      kind: 'api_key',
      id: row.id,
      name: row.name,
      orgId: row.org_id as OrgId,
      scopes: 'all',
      grantId: null,
      caps: {
        perMinute: row.rate_per_minute ?? this.#defaults.perMinute,
        perHour: row.rate_per_hour ?? this.#defaults.perHour,
      },
    }
  }

  #check(result: LookupResult, nowMs: number): Credential {
    if (result === 'unknown') throw unrecognised()
    const { row, credential } = result
    if (row.revoked_at !== null) throw new ApiError('api_key_revoked', 'This API key was revoked. Create a new one.')
    if (row.expires_at !== null && toMs(row.expires_at) <= nowMs) {
      throw new ApiError('api_key_expired', `This API key expired at ${row.expires_at}. Create a new one.`)
    }
    if (row.paused_at !== null) throw new ApiError('api_key_paused', 'This API key is paused. Resume it, then retry.')
    this.#recordUse(row, nowMs)
    return credential
  }

  /** Writes at most once a minute, in the background: it is a hint for people, not worth a commit per request. */
  #recordUse(row: CredentialRow, nowMs: number): void {
    const lastUsedMs = this.#lastUsedMs.get(row.id) ?? (row.last_used_at === null ? 0 : toMs(row.last_used_at))
    if (nowMs - lastUsedMs < LAST_USED_INTERVAL_MS) return
    setBounded(this.#lastUsedMs, row.id, nowMs, KNOWN_MAX)
    const orgId = row.org_id as OrgId
    const [usedAt, dueBefore] = [timestamp(nowMs), timestamp(nowMs - LAST_USED_INTERVAL_MS)]
    const write = this.#database
      .write((tx) => updateLastUsed(tx, orgId, row.id, usedAt, dueBefore), orgId)
      .catch((error) => this.#log.warn({ err: error, api_key_id: row.id }, 'last_used_at could not be written'))
      .finally(() => this.#writes.delete(write))
    this.#writes.add(write)
  }
}

const unrecognised = (): ApiError =>
  new ApiError('invalid_api_key', 'This API key is not recognised. Check that you copied all of it.')
