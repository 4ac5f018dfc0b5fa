import { findAi, isAiValue } from '../ai-values.ts'
import { type DigitalLink, linkPath, parseDigitalLink } from '../digital-link.ts'
import { BASE64URL, BitReader, BitWriter } from './bits.ts'
import { AI_LENGTHS, SEQUENCES } from './sequences.ts'
import { readForeignText, readValue, writeValue } from './values.ts'

type Pair = readonly [key: string, value: string]

/** A Digital Link with everything that its compressed form says. */
export interface DecompressedLink {
  link: DigitalLink
  /** What is in the query of the plain link: attributes, and pairs that are not GS1's. */
  query: readonly Pair[]
}

/**
 * The compressed part, maybe after a primary key that is written out. The shortest one is a key of four digits; 200 characters
 * are longer than any link that fits into a QR code people scan.
 */
const COMPRESSED = /^((?:\/\d{2,4}\/[^/]{1,90})?)\/([A-Za-z0-9_-]{7,200})\/?$/
/** Readers stop when no further AI fits. */
const PADDING_BITS_MAX = 8
const DIGIT_BITS = 4
/** Begins a pair that is not GS1's. */
const FOREIGN = 0xf
const FOREIGN_LENGTH_BITS = 7

/**
 * Reads the compressed form of a GS1 Digital Link, which is base64url of binary values. Undefined unless all of it is valid:
 * nearly no other word has correct check digits and ends exactly where its last value does.
 */
export function decompressLink(path: string): DecompressedLink | undefined {
  const [, plain = '', compressed] = COMPRESSED.exec(path) ?? []
  if (compressed === undefined) return undefined
  const pairs = readPairs(compressed)
  if (pairs === undefined) return undefined
  const known = plain === '' ? undefined : parseDigitalLink(plain)
  if (plain === '') return toLink(pairs)
  const isOfKnown = pairs.every(([ai]) => findAi(ai)?.qualifiers === undefined)
  return known && isOfKnown ? toLink([[known.key, known.value], ...pairs]) : undefined
}

function readPairs(compressed: string): Pair[] | undefined {
  const reader = new BitReader(compressed)
  const pairs = new Map<string, string>()
  const add = (key: string, value: string) => {
    if (pairs.has(key)) reader.isMalformed = true
    pairs.set(key, value)
  }
  while (reader.left > PADDING_BITS_MAX && !reader.isMalformed) {
    const first = reader.readNumber(DIGIT_BITS)
    if (first === FOREIGN) {
      const key = reader.readText(reader.readNumber(FOREIGN_LENGTH_BITS), BASE64URL)
      add(key, readForeignText(reader, FOREIGN_LENGTH_BITS))
      // Otherwise it would count as an attribute, or be no parameter at all.
      if (key === '' || findAi(key) !== undefined) reader.isMalformed = true
      continue
    }
    const digits = first.toString(16) + reader.readNumber(DIGIT_BITS).toString(16)
    for (const ai of SEQUENCES.get(digits) ?? [readAi(digits, reader)]) {
      const value = readValue(ai, reader)
      if (!isAiValue(ai, value)) reader.isMalformed = true
      add(ai, value)
    }
  }
  return reader.isMalformed || !reader.isPadding ? undefined : [...pairs]
}

function readAi(digits: string, reader: BitReader): string {
  const more = (AI_LENGTHS.get(digits) ?? digits.length) - digits.length
  return digits + Array.from({ length: more }, () => reader.readNumber(DIGIT_BITS).toString(16)).join('')
}

/** Values are in any order. The first primary key is what the link identifies; what does not qualify it belongs into the query. */
function toLink(pairs: readonly Pair[]): DecompressedLink | undefined {
  const key = pairs.find(([ai]) => findAi(ai)?.qualifiers !== undefined)
  if (key === undefined) return undefined
  const values = new Map(pairs)
  const sequence = findAi(key[0])?.qualifiers?.find((ais) => ais.some((ai) => values.has(ai))) ?? []
  const qualifiers = sequence.flatMap((ai): Pair[] => (values.has(ai) ? [[ai, values.get(ai) as string]] : []))
  // Parsing what was written checks it as a whole, and a GTIN gets its fourteen digits.
  const link = parseDigitalLink(linkPath({ key: key[0], value: key[1], qualifiers }))
  return link && { link, query: pairs.filter(([ai]) => ai !== key[0] && !sequence.includes(ai)) }
}

/**
 * The compressed form of a link and its attributes, with a slash in front. The codes for frequent sequences are not used, as
 * in the tools of GS1 by default, so that everybody gets the same form.
 */
export function compressLink({ key, value, qualifiers }: DigitalLink, attributes: readonly Pair[]): string {
  const writer = new BitWriter()
  const pairs = [[key, value] as const, ...qualifiers, ...attributes].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [ai, text] of pairs) {
    for (const digit of ai) writer.writeNumber(Number(digit), DIGIT_BITS)
    writeValue(ai, text, writer)
  }
  return `/${writer}`
}
