import { sql } from 'kysely'
import { isSqlite } from './is-sqlite.ts'
import { compiledStatement } from './statements/compiled.ts'
import { runWithoutResult } from './statements/run-without-result.ts'
import type { Listener, Party, Tx } from './types.ts'

export const CHANNEL = 'waymark'

/**
 * Reported in this process only, for every transaction of an organisation, with its ID as the key. Announcements by triggers
 * come over the network, after the caller has its response.
 */
export const WRITES_TOPIC = 'writes'

/** The changes to report when a transaction commits. On the transaction itself, because a WeakMap is slow to collect. */
const PENDING = Symbol('pending')

interface Announcing {
  [PENDING]?: { topic: string; key: string }[]
}

/** Tells all processes, when the transaction commits, that their cache entries for these keys are out of date. */
export async function announce(tx: Tx, topic: string, keys: readonly string[]): Promise<void> {
  const announcing = tx as Announcing
  announcing[PENDING] = [...(announcing[PENDING] ?? []), ...keys.map((key) => ({ topic, key }))]
  if (isSqlite(tx)) return
  const payloads = keys.map((key) => `${topic} ${key}`)
  await runWithoutResult(tx, payloads.length === 1 ? notify(tx, payloads[0] as string) : notifyAll(tx, payloads))
}

const notify = compiledStatement((_tx: Tx, payload: string) => sql`select pg_notify(${CHANNEL}, ${payload})`)

const notifyAll = compiledStatement(
  (_tx: Tx, payloads: string[]) =>
    sql`select pg_notify(${CHANNEL}, payload) from jsonb_array_elements_text(${payloads}) payload`,
)

export class Announcements {
  readonly #listeners = new Set<Listener>()
  #receivesAllChanges = false

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    if (this.#receivesAllChanges) listener.resumed()
    return () => this.#listeners.delete(listener)
  }

  /** Called before `write` resolves, so that this process never serves a stale entry to the caller that changed it. */
  committed(tx: Tx, party: Party | undefined): void {
    for (const { topic, key } of (tx as Announcing)[PENDING] ?? []) this.changed(topic, key)
    if (party !== undefined) this.changed(WRITES_TOPIC, party)
  }

  changed(topic: string, key: string): void {
    for (const listener of this.#listeners) listener.changed(topic, key)
  }

  interrupted(): void {
    this.#receivesAllChanges = false
    for (const listener of this.#listeners) listener.interrupted()
  }

  resumed(): void {
    this.#receivesAllChanges = true
    for (const listener of this.#listeners) listener.resumed()
  }
}
