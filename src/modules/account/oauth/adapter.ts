import { AsyncLocalStorage } from 'node:async_hooks'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { type Actor, withAudit } from '../../../platform/audit/index.ts'
import { type Clock, SECOND_MS, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Database, Db, Tx } from '../../../platform/db/index.ts'
import { hashToken } from '../../../platform/ids/index.ts'
import { type CleanUpAfterGrant, endGrant, extendGrant, findGrant } from '../connected-applications/index.ts'
import { type ClientRow, selectClient } from './client-queries.ts'
import { ACCESS_TOKENS_MAX, REFRESH_TOKENS_MAX } from './limits.ts'
import {
  deleteOlderTokens,
  deleteToken,
  insertToken,
  selectToken,
  type TokenKind,
  updateConsumed,
} from './token-queries.ts'

/** The library's names of what it stores. */
const KINDS: Readonly<Record<string, TokenKind>> = {
  Interaction: 'request',
  AuthorizationCode: 'code',
  AccessToken: 'access',
  RefreshToken: 'refresh',
}

const KEPT: Partial<Record<TokenKind, number>> = { access: ACCESS_TOKENS_MAX, refresh: REFRESH_TOKENS_MAX }

export interface Storage {
  readonly database: Database
  readonly clock: Clock
  readonly cleanUp: CleanUpAfterGrant
  /** The address of the API: the only resource that tokens are for. */
  readonly resource: string
  /** Where the library continues after a person has decided about this request. */
  readonly returnTo: (requestId: string) => string
  /** The error for a code or a refresh token that is used a second time. */
  readonly usedTwice: () => Error
}

/** Who sent the request that the library handles, for the audit log. */
export type ClientOrigin = Pick<Actor, 'address' | 'userAgent'>

interface Scope {
  tx: Tx
  sender: ClientOrigin
}

/**
 * Stores what the library needs in our tables. A request to the token endpoint is one transaction: a refresh token is not
 * used up without its successor, even if the process ends between the two.
 */
export class OAuthStorage {
  readonly #storage: Storage
  readonly #scopes = new AsyncLocalStorage<Scope>()

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** Everything that is stored during `work` is one transaction. */
  inTransaction<T>(sender: ClientOrigin, work: () => Promise<T>): Promise<T> {
    return this.#storage.database.write((tx) => this.#scopes.run({ tx, sender }, work))
  }

  /** Returns what the library stores things of this kind with. */
  readonly adapterFor = (model: string): Adapter => {
    const kind = KINDS[model]
    if (kind !== undefined) return this.#tokens(kind)
    switch (model) {
      case 'Client':
        return adapter({ find: (id) => this.#findClient(id) })
      case 'Grant':
        return adapter({ find: (id) => this.#findGrant(id), destroy: (id) => this.#write((tx) => this.#end(tx, id)) })
      default:
        // The library's own sessions: people are signed in by ours, and each request is decided by itself.
        return adapter({})
    }
  }

  #tokens(kind: TokenKind): Adapter {
    return adapter({
      find: (id) => this.#findToken(kind, id),
      upsert: (id, payload, seconds = 0) => this.#write((tx) => this.#store(tx, kind, id, payload, seconds)),
      consume: (id) => this.#write((tx) => this.#consume(tx, kind, id)),
      destroy: (id) => this.#write((tx) => deleteToken(tx, hashToken(id))),
    })
  }

  get #read(): Db {
    return this.#scopes.getStore()?.tx ?? this.#storage.database.read
  }

  #write(work: (tx: Tx) => Promise<void>): Promise<void> {
    const scope = this.#scopes.getStore()
    return scope === undefined ? this.#storage.database.write(work) : work(scope.tx)
  }

  async #findClient(id: string): Promise<AdapterPayload | undefined> {
    const row = await selectClient(this.#read, id)
    return row && toClientMetadata(row)
  }

  async #findGrant(id: string): Promise<AdapterPayload | undefined> {
    const row = await findGrant(this.#read, id)
    if (row === undefined) return undefined
    return {
      kind: 'Grant',
      jti: row.id,
      accountId: row.user_id,
      clientId: row.client_id,
      resources: { [this.#storage.resource]: (row.scopes as string[]).join(' ') },
      iat: toSeconds(row.created_at),
      exp: toSeconds(row.expires_at),
    }
  }

  async #findToken(kind: TokenKind, id: string): Promise<AdapterPayload | undefined> {
    const row = await selectToken(this.#read, hashToken(id), kind)
    if (row === undefined || toMs(row.expires_at) <= this.#storage.clock()) return undefined
    return {
      ...(row.payload as AdapterPayload),
      jti: id,
      ...(kind === 'request' && { returnTo: this.#storage.returnTo(id) }),
      ...(kind !== 'request' && row.consumed_at !== null && { consumed: toSeconds(row.consumed_at) }),
    }
  }

  async #store(tx: Tx, kind: TokenKind, id: string, sent: AdapterPayload, seconds: number): Promise<void> {
    const nowMs = this.#storage.clock()
    const expiresAt = timestamp(nowMs + seconds * SECOND_MS)
    // Both contain the id, which is secret.
    const { jti: _, returnTo: __, ...payload } = sent
    const grant_id = payload.grantId ?? null
    await insertToken(tx, {
      hash: hashToken(id),
      kind,
      grant_id: kind === 'request' ? null : grant_id,
      payload,
      consumed_at: null,
      expires_at: expiresAt,
      created_at: timestamp(nowMs),
    })
    const kept = KEPT[kind]
    if (kept === undefined || grant_id === null) return
    await deleteOlderTokens(tx, grant_id, kind, kept)
    await extendGrant(tx, grant_id, expiresAt)
  }

  /** The library has checked that it is unused. Another request may have used it since. */
  async #consume(tx: Tx, kind: TokenKind, id: string): Promise<void> {
    const hash = hashToken(id)
    if (await updateConsumed(tx, hash, timestamp(this.#storage.clock()))) return
    const row = await selectToken(tx, hash, kind)
    if (row?.grant_id) await this.#end(tx, row.grant_id)
    throw this.#storage.usedTwice()
  }

  /** The application gives its grant back, or somebody has used one of its tokens twice. */
  async #end(tx: Tx, grantId: string): Promise<void> {
    const grant = await findGrant(tx, grantId)
    if (grant === undefined) return
    const { clock, cleanUp } = this.#storage
    const now = timestamp(clock())
    const orgId = grant.org_id
    const name = (await selectClient(tx, grant.client_id))?.name ?? ''
    const sender = this.#scopes.getStore()?.sender ?? { address: null, userAgent: null }
    const actor: Actor = { kind: 'application', id: grantId, name, ...sender }
    await withAudit(tx, orgId, actor, now, () => endGrant(tx, orgId, grantId, now, cleanUp))
  }
}

const nothing = async (): Promise<undefined> => undefined

/** What the library may ask for but does not need here does nothing. The tokens of a grant are deleted with it. */
const adapter = (methods: Partial<Adapter>): Adapter => ({
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
  ...methods,
})

const toSeconds = (time: string): number => Math.floor(toMs(time) / SECOND_MS)

const toClientMetadata = ({ id, name, redirect_uris }: ClientRow): AdapterPayload => ({
  client_id: id,
  client_name: name,
  redirect_uris: redirect_uris as string[],
  // Lets a redirect URI on the person's own device have any port (RFC 8252).
  application_type: 'native',
})
