import { LRUCache } from 'lru-cache'
import { type Actor, insertAuditEntries } from '../../../platform/audit/index.ts'
import { countLimit } from '../../../platform/bounded/index.ts'
import { type Timestamp, timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { Credential, UseObserver } from '../../../platform/http/pipeline/context.ts'
import { addressBlock } from '../../../platform/http/server/address-block.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { countAddresses, insertAddress } from './queries.ts'

/** Limits the memory. An address that was dropped is looked up again. */
const REMEMBERED_MAX = 20_000
/**
 * Beyond this, an address says nothing any more: the key is used from everywhere. Requests at the same moment can exceed it
 * by as many as the database runs at once.
 */
const ADDRESSES_PER_CREDENTIAL_MAX = 100

const ACTORS = { api_key: 'api_key', oauth_token: 'application' } as const
const RESOURCES = { api_key: 'api_key', oauth_token: 'connected_application' } as const

/** Notes in the audit log when an API key or an application is used from another address than before. */
export class KnownAddresses implements UseObserver {
  readonly #database: Database
  readonly #log: Logger
  readonly #remembered = new LRUCache<string, true>(countLimit(REMEMBERED_MAX))
  readonly #writes = new Set<Promise<unknown>>()

  constructor(database: Database, log: Logger) {
    this.#database = database
    this.#log = log
  }

  used({ kind, id, name, orgId }: Credential, sent: Parameters<UseObserver['used']>[1], nowMs: number): void {
    // The start of a session is an entry already.
    if (kind === 'session') return
    const address = sent.address()
    const key = `${id} ${address}`
    if (this.#remembered.get(key)) return
    this.#remembered.set(key, true)
    const userAgent = (sent.headers['user-agent'] as string | undefined) ?? null
    const actor = { kind: ACTORS[kind], id, name, address, userAgent }
    const write = this.#store(orgId, actor, RESOURCES[kind], timestamp(nowMs))
      .catch((error) => {
        this.#remembered.delete(key)
        this.#log.warn({ err: error, credential_id: id }, 'the address of a use could not be written')
      })
      .finally(() => this.#writes.delete(write))
    this.#writes.add(write)
  }

  /** Waits for pending writes. Call it before the database closes. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#writes)
  }

  async #store(
    orgId: OrgId,
    actor: Actor & { id: string; address: string },
    type: string,
    now: Timestamp,
  ): Promise<void> {
    const { id, address } = actor
    const row = { org_id: orgId, credential_id: id, address: addressBlock(address), created_at: now }
    await this.#database.write(async (tx) => {
      const known = await countAddresses(tx, orgId, id)
      if (known >= ADDRESSES_PER_CREDENTIAL_MAX || !(await insertAddress(tx, row))) return
      // Every credential has a first address.
      if (known === 0) return
      const entry = { action: `${type}.used_from_new_address`, resource: { type, id }, changes: null }
      await insertAuditEntries(tx, orgId, actor, [entry], now)
    }, orgId)
  }
}
