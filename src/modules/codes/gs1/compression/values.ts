import { AI_TABLE } from '../ai-table.ts'
import { BASE64URL, type BitReader, type BitWriter } from './bits.ts'

/** A part of a value: digits, or any text. It has exactly `length` characters, or at most. */
interface Part {
  isNumeric: boolean
  length: number
  isVariable: boolean
}

/** What a compressed link says before a text: the alphabet in which it is written. The first one is for digits. */
const ALPHABETS = [
  '0123456789',
  '0123456789abcdef',
  '0123456789ABCDEF',
  BASE64URL,
  String.fromCharCode(...Array(128).keys()),
] as const
const DIGITS = 0
const ASCII = 4
const ALPHABET_BITS = 3
/** Writers use the first alphabet that has all characters: upper-case letters come before lower-case ones. */
const PREFERRED = [DIGITS, 2, 1, 3]

const PARTS: ReadonlyMap<string, readonly Part[]> = new Map(
  Object.entries(AI_TABLE).map(([ai, { format }]) => [ai, partsOf(format)]),
)

/** A part that can be left out is one of variable length, and two texts in a row are one. */
function partsOf(format: string): Part[] {
  const parts: Part[] = []
  for (const [, open, set, dots, length] of format.matchAll(/(\[?)([NXYZ])(\.\.)?(\d+)/g)) {
    const isNumeric = set === 'N'
    const last = parts.at(-1)
    if (last && !last.isNumeric && !isNumeric)
      parts.splice(-1, 1, { isNumeric, length: last.length + Number(length), isVariable: true })
    else parts.push({ isNumeric, length: Number(length), isVariable: open === '[' || dots !== undefined })
  }
  return parts
}

const lengthBits = (max: number): number => max.toString(2).length

/** The value of an AI. It may still be invalid. */
export function readValue(ai: string, reader: BitReader): string {
  const parts = PARTS.get(ai)?.map(({ isNumeric, length, isVariable }) => {
    const alphabet = isNumeric ? DIGITS : reader.readNumber(ALPHABET_BITS)
    return readIn(alphabet, isVariable ? reader.readNumber(lengthBits(length)) : length, reader)
  })
  if (parts === undefined) reader.isMalformed = true
  return parts?.join('') ?? ''
}

/** A text that belongs to no AI: the alphabet, the length and the characters. */
export function readForeignText(reader: BitReader, lengthBits: number): string {
  const alphabet = reader.readNumber(ALPHABET_BITS)
  return readIn(alphabet, reader.readNumber(lengthBits), reader)
}

function readIn(number: number, length: number, reader: BitReader): string {
  const alphabet = ALPHABETS[number]
  if (alphabet === undefined) reader.isMalformed = true
  if (number === DIGITS || alphabet === undefined) return reader.readDigits(length)
  return reader.readText(length, alphabet)
}

/** Expects a valid value. */
export function writeValue(ai: string, value: string, writer: BitWriter): void {
  let at = 0
  for (const { isNumeric, length, isVariable } of PARTS.get(ai) ?? []) {
    const text = value.slice(at, at + length)
    at += text.length
    const number = isNumeric ? DIGITS : alphabetFor(text)
    if (!isNumeric) writer.writeNumber(number, ALPHABET_BITS)
    if (isVariable) writer.writeNumber(text.length, lengthBits(length))
    if (number === DIGITS) writer.writeDigits(text)
    else writer.writeText(text, ALPHABETS[number] ?? '')
  }
}

/** No text at all counts as ASCII. */
function alphabetFor(text: string): number {
  const isWrittenIn = (alphabet: string) => text !== '' && [...text].every((char) => alphabet.includes(char))
  return PREFERRED.find((number) => isWrittenIn(ALPHABETS[number] ?? '')) ?? ASCII
}
