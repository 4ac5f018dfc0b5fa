const AMPERSAND = 0x26
const EQUALS = 0x3d
const PERCENT = 0x25
const PLUS = 0x2b
const SPACE = 0x20

/**
 * Returns the same pairs as `URLSearchParams`, but in less than 1 ms for any 10 KB. `URLSearchParams` throws and
 * catches for each broken escape and takes 8 ms for 10 KB of invalid UTF-8, which anyone can send. Decodes in place: a
 * decoded byte is never written beyond the byte being read.
 */
export function parseUrlEncoded(text: string): [key: string, value: string][] {
  const pairs: [string, string][] = []
  const bytes = Buffer.from(text)
  let start = 0
  let equals = -1
  let end = 0
  const finishPair = () => {
    if (equals !== -1) pairs.push([bytes.toString('utf8', start, equals), bytes.toString('utf8', equals, end)])
    else if (end > start) pairs.push([bytes.toString('utf8', start, end), ''])
    start = end
    equals = -1
  }
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at] ?? 0
    if (byte === AMPERSAND) finishPair()
    else if (byte === EQUALS && equals === -1) equals = end
    else {
      if (byte === PLUS) byte = SPACE
      else if (byte === PERCENT) {
        const escaped = hexDigit(bytes[at + 1]) * 16 + hexDigit(bytes[at + 2])
        if (!Number.isNaN(escaped)) {
          byte = escaped
          at += 2
        }
      }
      bytes[end++] = byte
    }
  }
  finishPair()
  return pairs
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : Number.NaN
}
