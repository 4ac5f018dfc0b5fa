import { type Actor, withAudit } from '../../audit/index.ts'
import { timestamp } from '../../clock/index.ts'
import type { Tx } from '../../db/index.ts'
import { ClientLeft } from '../server/client-left.ts'
import type { Context, Credential } from './context.ts'
import type { Exchange, Services } from './exchange.ts'

/** The context of one request. `actor`, `now`, `log` and `signal` are lazy because few handlers need them. */
export class RequestContext implements Context {
  readonly orgId: Context['orgId']
  readonly credential: Context['credential']
  readonly read: Context['read']
  readonly readLong: Context['readLong']
  readonly #exchange: Exchange
  readonly #services: Services
  /** Stores the response to a request with an Idempotency-Key, in the transaction of the change itself. */
  readonly #store: (tx: Tx, result: unknown) => Promise<void>

  constructor(exchange: Exchange, services: Services, store: (tx: Tx, result: unknown) => Promise<void>) {
    this.credential = exchange.caller
    this.orgId = this.credential.orgId
    this.read = services.database.read
    this.readLong = services.database.readLong
    this.#exchange = exchange
    this.#services = services
    this.#store = store
  }

  get now(): Context['now'] {
    return timestamp(this.#exchange.nowMs)
  }

  get log(): Context['log'] {
    return this.#services.log.child({ request_id: this.#exchange.requestId, org_id: this.orgId })
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#write('write', work)
  }

  writeInPieces<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#write('writeInPieces', work)
  }

  async pause(): Promise<void> {
    await this.#services.turns.waitToGoOn(this.orgId)
  }

  async #write<T>(how: 'write' | 'writeInPieces', work: (tx: Tx) => Promise<T>): Promise<T> {
    const result = await this.#services.database[how](async (tx) => {
      // While the transaction waited for its turn.
      if (this.#exchange.sent.hasClientLeft()) throw new ClientLeft()
      const result = await withAudit(tx, this.orgId, this.actor, this.now, work)
      if (this.#exchange.identity !== undefined) await this.#store(tx, result)
      return result
    }, this.orgId)
    // Many transactions are committed together. To respond to all of them at once would take too long for others.
    await this.#services.turns.waitToGoOn(this.orgId)
    return result
  }

  get actor(): Actor {
    const { headers, address } = this.#exchange.sent
    return {
      ...identityOf(this.credential),
      address: address(),
      userAgent: (headers['user-agent'] as string | undefined) ?? null,
    }
  }

  get signal(): Context['signal'] {
    return this.#exchange.sent.signal()
  }
}

function identityOf({ kind, id, name, userId, application }: Credential): Pick<Actor, 'kind' | 'id' | 'name'> {
  switch (kind) {
    case 'session':
      return { kind: 'person', id: userId, name }
    case 'oauth_token':
      return { kind: 'application', id, name: `${name} (${application?.person})` }
    case 'api_key':
      return { kind, id, name }
  }
}
