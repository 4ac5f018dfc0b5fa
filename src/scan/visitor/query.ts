import { parseUrlEncoded } from './urlencoded.ts'

/** The visitor's query string, read once. */
interface ScanQuery {
  /** Everything that was sent, in order and with duplicates, for the address that the scan leads to. */
  readonly pairs: readonly (readonly [key: string, value: string])[]
  /**
   * What is stored with the scan. Of several values the first stands: it was printed in the code or set first,
   * and what apps append on the way comes later; `URLSearchParams.get` on the page that is reached sees the same.
   */
  readonly stored: Readonly<Record<string, string>>
}

const KEYS_MAX = 50
const BYTES_MAX = 4_096

export function scanQuery(search: string): ScanQuery {
  const pairs = parseUrlEncoded(search.startsWith('?') ? search.slice(1) : search)
  return { pairs, stored: storedCopy(pairs) }
}

/** A pair that is too large for what is left is passed over, so that it hides none of the small ones behind it. */
function storedCopy(pairs: ScanQuery['pairs']): Record<string, string> {
  // Without a prototype, `__proto__` is a key like any other.
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

/** No database holds U+0000 or half a surrogate pair as text. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()
