import type { OrgId } from '../../../../platform/ids/index.ts'
import { keysOfWord } from '../full-text/misspelling.ts'

export interface SpelledWord {
  id: number
  language: string
  word: string
}

/** The keys of some words in ascending order, each with the ID of its word at the same position. */
export interface FiledKeys {
  keys: Int32Array
  wordIds: Int32Array
}

const GROUP_SHIFT = 24
const WITHIN_GROUP = 0xffffff

/**
 * Returns a function that hashes a key to a number, which takes a tenth of the space. A collision is harmless: every
 * word found is compared with the searched one. The first byte is the same for all keys of an organisation in one
 * language, so that they are neighbours in the database: new words of a small vocabulary change few pages.
 */
export function keyHash(orgId: OrgId, language: string): (text: string) => number {
  const seed = hash(`${language}${orgId}`, 0x811c9dc5)
  const group = mix(seed) << GROUP_SHIFT
  return (text) => group | (mix(hash(text, seed)) & WITHIN_GROUP)
}

/** Keys are sorted as numbers that contain the position of the word: sorting objects takes several times as long. */
const POSITIONS_MAX = 2 ** 16
const KEY_MIN = -(2 ** 31)

/** Returns the keys under which the words are stored, at most 65,536 words. */
export function fileKeys(orgId: OrgId, words: readonly SpelledWord[]): FiledKeys {
  const hashes = new Map<string, (text: string) => number>()
  const filed: number[] = []
  for (const [position, { language, word }] of words.entries()) {
    const toKey = hashes.getOrInsertComputed(language, () => keyHash(orgId, language))
    for (const text of keysOfWord(word)) filed.push((toKey(text) - KEY_MIN) * POSITIONS_MAX + position)
  }
  const sorted = Float64Array.from(filed).sort()
  return {
    keys: Int32Array.from(sorted, (entry) => Math.floor(entry / POSITIONS_MAX) + KEY_MIN),
    wordIds: Int32Array.from(sorted, (entry) => words[entry % POSITIONS_MAX]?.id ?? 0),
  }
}

/** FNV-1a. */
function hash(text: string, seed: number): number {
  let value = seed
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value
}

function mix(value: number): number {
  const mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}
