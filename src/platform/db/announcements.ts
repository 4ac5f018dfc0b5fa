import { sql } from 'kysely'
import { isSqlite } from './is-sqlite.ts'
import { runWithoutResult } from './run-without-result.ts'
import type { Listener, Tx } from './types.ts'

export const CHANNEL = 'waymark'

/** The changes to report when a transaction commits. */
const pending = new WeakMap<Tx, { topic: string; key: string }[]>()

/** Tells all processes, when the transaction commits, that their cache entries for these keys are out of date. */
export async function announce(tx: Tx, topic: string, keys: readonly string[]): Promise<void> {
  pending.set(tx, [...(pending.get(tx) ?? []), ...keys.map((key) => ({ topic, key }))])
  if (isSqlite(tx)) return
  const payloads = keys.map((key) => `${topic} ${key}`)
  const notify = sql`select pg_notify(${CHANNEL}, payload) from jsonb_array_elements_text(${payloads}) payload`
  await runWithoutResult(tx, notify)
}

export class Announcements {
  readonly #listeners = new Set<Listener>()
  #receivesAllChanges = false

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    if (this.#receivesAllChanges) listener.resumed()
    return () => this.#listeners.delete(listener)
  }

  /** Called before `write` resolves, so that this process never serves a stale entry to the caller that changed it. */
  committed(tx: Tx): void {
    for (const { topic, key } of pending.get(tx) ?? []) this.changed(topic, key)
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
