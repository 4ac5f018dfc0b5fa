import { MINUTE_MS, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Authenticator, Credential } from '../../../platform/http/context.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Caps } from '../../../platform/rate-limit/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { type CredentialRow, selectKeyByHash, updateLastUsed } from './queries.ts'
import { hashToken, isWellFormedToken, KEY_PREFIX } from './token.ts'

/** A paused key, or a changed cap, is in force within one second everywhere: half of it is for the look-up. */
const FRESH_MS = 500
const LAST_USED_INTERVAL_MS = MINUTE_MS
/** Bounds what a guesser can make us remember. What is forgotten is looked up again; it would be soon anyway. */
const REMEMBERED_MAX = 10_000

type Known = { row: CredentialRow; credential: Credential } | 'unknown'

interface Remembered {
  known: Known
  loadedAtMs: number
}

/** Recognises API keys. A key is looked up at most twice a second, however often it is used. */
export class ApiKeyAuthenticator implements Authenticator {
  readonly prefix = KEY_PREFIX
  readonly #database: Database
  readonly #defaults: Caps
  readonly #log: Logger
  /** By the key itself: checking and hashing it again would take longer than all the rest of recognising it. */
  readonly #remembered = new Map<string, Remembered>()
  readonly #lookUps = new Map<string, Promise<Known>>()
  readonly #writes = new Set<Promise<unknown>>()
  readonly #lastUsedMs = new Map<string, number>()

  constructor(database: Database, defaults: Caps, log: Logger) {
    this.#database = database
    this.#defaults = defaults
    this.#log = log
  }

  authenticate(token: string, nowMs: number): Credential | Promise<Credential> {
    const remembered = this.#remembered.get(token)
    if (remembered !== undefined && nowMs - remembered.loadedAtMs < FRESH_MS)
      return this.#judge(remembered.known, nowMs)
    if (!isWellFormedToken(token)) throw unrecognised()
    return this.#lookUp(token, nowMs).then((known) => this.#judge(known, nowMs))
  }

  /** Waits for what is still being written, before the database closes. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#writes)
  }

  /** One look-up at a time for a key, however many requests wait for it. */
  #lookUp(token: string, nowMs: number): Promise<Known> {
    let lookUp = this.#lookUps.get(token)
    if (lookUp === undefined) {
      lookUp = this.#load(token, nowMs).finally(() => this.#lookUps.delete(token))
      this.#lookUps.set(token, lookUp)
    }
    return lookUp
  }

  async #load(token: string, nowMs: number): Promise<Known> {
    const row = await selectKeyByHash(this.#database.read, hashToken(token))
    const known = row === undefined ? 'unknown' : { row, credential: this.#toCredential(row) }
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear()
    this.#remembered.set(token, { known, loadedAtMs: nowMs })
    return known
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

  #judge(known: Known, nowMs: number): Credential {
    if (known === 'unknown') throw unrecognised()
    const { row, credential } = known
    if (row.revoked_at !== null) throw new ApiError('api_key_revoked', 'This API key was revoked. Make a new one.')
    if (row.expires_at !== null && toMs(row.expires_at) <= nowMs) {
      throw new ApiError('api_key_expired', `This API key expired at ${row.expires_at}. Make a new one.`)
    }
    if (row.paused_at !== null) throw new ApiError('api_key_paused', 'This API key is paused. Resume it, then retry.')
    this.#noteUse(row, nowMs)
    return credential
  }

  /** Written at most once a minute and not waited for: it is a hint for people, not worth a commit per request. */
  #noteUse(row: CredentialRow, nowMs: number): void {
    const lastUsedMs = this.#lastUsedMs.get(row.id) ?? (row.last_used_at === null ? 0 : toMs(row.last_used_at))
    if (nowMs - lastUsedMs < LAST_USED_INTERVAL_MS) return
    this.#lastUsedMs.set(row.id, nowMs)
    const write = this.#database
      .write((tx) =>
        updateLastUsed(tx, row.org_id as OrgId, row.id, timestamp(nowMs), timestamp(nowMs - LAST_USED_INTERVAL_MS)),
      )
      .catch((error) => this.#log.warn({ err: error, api_key_id: row.id }, 'last_used_at could not be written'))
      .finally(() => this.#writes.delete(write))
    this.#writes.add(write)
  }
}

const unrecognised = (): ApiError =>
  new ApiError('invalid_api_key', 'This API key is not recognised. Check that the whole key was copied.')
