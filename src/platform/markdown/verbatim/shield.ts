import { findVerbatim, type VerbatimPart } from './find-verbatim.ts'

/**
 * Unicode has 32 code points that no text contains, and ASCII has 32 punctuation characters. Each stands in for one of them
 * where nothing may change: what looks for Markdown or HTML finds none there, and words stay words.
 */
const STAND_INS = /[\ufdd0-\ufdef]/g
const FIRST_STAND_IN = 0xfdd0
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
const EACH_PUNCTUATION = /[!-/:-@[-`{-~]/g

/** Replaces the punctuation of a text. */
export const cover = (text: string): string =>
  text.replace(EACH_PUNCTUATION, (mark) => String.fromCharCode(FIRST_STAND_IN + PUNCTUATION.indexOf(mark)))

interface ShieldOptions {
  find?: (text: string) => VerbatimPart[]
  /** What becomes of each part. */
  toShielded?: (text: string, part: VerbatimPart) => string
}

/** Shields code and formulas from what is done to the text next. */
export function shield(markdown: string, { find = findVerbatim, toShielded = cover }: ShieldOptions = {}): string {
  const text = markdown.replace(STAND_INS, '')
  let shielded = ''
  let at = 0
  for (const part of find(text)) {
    shielded += text.slice(at, part.from) + toShielded(text.slice(part.from, part.to), part)
    at = part.to
  }
  return shielded + text.slice(at)
}

/** Brings back what was shielded. */
export const unshield = (text: string): string =>
  text.replace(STAND_INS, (standIn) => PUNCTUATION[standIn.charCodeAt(0) - FIRST_STAND_IN] ?? '')
