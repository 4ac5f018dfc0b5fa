const AMPERSAND = 0x26
const EQUALS = 0x3d
const PERCENT = 0x25
const PLUS = 0x2b
const SPACE = 0x20

/**
 * The pairs that `URLSearchParams` gives for the same text. That takes 8 ms for 10 KB of broken UTF-8, because it
 * throws and catches for each escape, and a query is anybody's to send; this takes less than 1 ms for any 10 KB.
 * It decodes in place: what is written never overtakes what is read.
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
