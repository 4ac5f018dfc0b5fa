import { sql } from 'kysely'
import { isSqlite } from './is-sqlite.ts'
import type { Tx } from './types.ts'

/** Told of changes that were committed, by this process or another one. */
export interface Listener {
  changed(topic: string, key: string): void
  /** From here on changes by other processes may be missed. */
  interrupted(): void
  /** All changes are told again; some may have been missed meanwhile. */
  resumed(): void
}

/** The one channel on which processes over the same PostgreSQL tell each other. */
export const CHANNEL = 'waymark'

/** What a transaction will have changed once it is committed. */
const announced = new WeakMap<Tx, { topic: string; key: string }[]>()

/** Tells every process that whatever it remembers under these keys is out of date, when the transaction commits. */
export async function announce(tx: Tx, topic: string, keys: readonly string[]): Promise<void> {
  announced.set(tx, [...(announced.get(tx) ?? []), ...keys.map((key) => ({ topic, key }))])
  if (isSqlite(tx)) return
  const payloads = keys.map((key) => `${topic} ${key}`)
  await sql`select pg_notify(${CHANNEL}, payload) from jsonb_array_elements_text(${payloads}) payload`.execute(tx)
}

export class Announcements {
  readonly #listeners = new Set<Listener>()
  #isWhole = false

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    if (this.#isWhole) listener.resumed()
    return () => this.#listeners.delete(listener)
  }

  /** In this process it is told before whoever made the change hears that it is done. */
  committed(tx: Tx): void {
    for (const { topic, key } of announced.get(tx) ?? []) this.changed(topic, key)
  }

  changed(topic: string, key: string): void {
    for (const listener of this.#listeners) listener.changed(topic, key)
  }

  interrupted(): void {
    this.#isWhole = false
    for (const listener of this.#listeners) listener.interrupted()
  }

  resumed(): void {
    this.#isWhole = true
    for (const listener of this.#listeners) listener.resumed()
  }
}
