import type { LookupCache } from '../../../platform/db/lookup-cache.ts'

type Source<Value> = Pick<LookupCache<Value>, 'peek' | 'find'>

/** Returns the value, null if there is none, undefined if it is not known yet. */
export type LookUp = <Value>(source: Source<Value>, key: string) => Value | null | undefined

export const peekInCache: LookUp = (source, key) => source.peek(key)

/**
 * The values loaded for one scan. They are kept apart from the caches, which do not trust them while announcements are
 * not being received.
 */
export class LoadedValues {
  readonly #loaded: { source: Source<unknown>; key: string; value: unknown }[] = []
  #missing: { source: Source<unknown>; key: string } | undefined

  readonly lookUp: LookUp = <Value>(source: Source<Value>, key: string) => {
    for (const each of this.#loaded) if (each.source === source && each.key === key) return each.value as Value | null
    this.#missing = { source, key }
    return undefined
  }

  /** Loads the value of the last lookup that was missing. */
  async loadMissing(): Promise<void> {
    if (this.#missing === undefined) return
    const { source, key } = this.#missing
    this.#loaded.push({ source, key, value: (await source.find(key)) ?? null })
  }
}
