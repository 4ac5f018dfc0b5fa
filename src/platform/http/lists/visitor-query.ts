import { parseUrlEncoded } from '../bodies/url-encoded.ts'

/** The visitor's query string, parsed. */
export interface VisitorQuery {
  /** All pairs in order, with duplicates, to pass on to the destination. */
  readonly pairs: readonly (readonly [key: string, value: string])[]
  /**
   * The pairs to store. On equal keys the first value counts: it was printed in the code, and apps append
   * theirs on the way. `URLSearchParams.get` on the destination page returns the same value.
   */
  readonly stored: Readonly<Record<string, string>>
}

const KEYS_MAX = 50
const BYTES_MAX = 4_096

export function visitorQuery(search: string): VisitorQuery {
  const pairs = parseUrlEncoded(search.startsWith('?') ? search.slice(1) : search)
  return { pairs, stored: storedCopy(pairs) }
}

/** Skips a pair that does not fit into the remaining space, and keeps smaller ones that come after it. */
function storedCopy(pairs: VisitorQuery['pairs']): Record<string, string> {
  // Without a prototype, `__proto__` is an ordinary key.
  const stored: Record<string, string> = Object.create(null)
  let keys = 0
  let bytes = 0
  for (const pair of pairs) {
    if (pair[0] in stored) continue
    const key = storable(pair[0])
    if (key in stored) continue
    const value = storable(pair[1])
    const size = Buffer.byteLength(key) + Buffer.byteLength(value)
    if (bytes + size > BYTES_MAX) continue
    stored[key] = value
    bytes += size
    if (++keys === KEYS_MAX) break
  }
  return stored
}

/** PostgreSQL cannot store U+0000 or half a surrogate pair as text. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()
