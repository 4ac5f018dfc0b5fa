import { fold, isPlain } from './fold.ts'

/** A searchable piece of a text, and its position. */
export interface Token {
  /** Folded. */
  text: string
  start: number
  end: number
  /** Whether it is one or two characters of a script without spaces between words. */
  isGram: boolean
}

/** Longer words are cut: two that share this many characters count as the same. */
const WORD_LENGTH_MAX = 40

/** Contractions stay one word (don't, printer's), elided articles do not (l'eau). A soft hyphen does not end a word. */
const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad]*(?:['’]\p{L}(?![\p{L}\p{N}\p{M}]))?/gu

const UNSPACED = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}'
const FIRST_UNSPACED = '\u3041'
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u')
const PARTS = new RegExp(`(?<unspaced>(?:[${UNSPACED}][\\p{M}\uff9e\uff9f]*)+)|[^${UNSPACED}]+`, 'gu')
/** Scripts without spaces between words whose words we can tell apart. */
const SEGMENTED = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const FIRST_SEGMENTED = '\u0e01'
/** Made on first use: its dictionary takes some milliseconds of a start. */
let segmenter: Intl.Segmenter | undefined
/** One character with its combining marks. */
const CHARACTER = /.[\p{M}\uff9e\uff9f]*/gsu

/**
 * Yields the words of a text in order. Japanese, Chinese and Korean do not mark word boundaries, so every pair of
 * adjacent characters is a token; with `withSingles` also each character, so that a single one can be found. Thai and its
 * neighbours are divided into words by a dictionary.
 */
export function* tokenize(text: string, withSingles: boolean): Generator<Token> {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    // Nearly all runs take one of the first two branches; the slow one is for mixed or rare scripts.
    if (run >= FIRST_UNSPACED && isPlain(run)) yield* toPlainGrams(run, index, withSingles)
    else if (run >= FIRST_SEGMENTED && SEGMENTED.test(run)) yield* toSegments(run, index)
    else if (!HAS_UNSPACED.test(run)) yield* toWord(run, index)
    else {
      for (const part of run.matchAll(PARTS)) {
        if (part.groups?.unspaced === undefined) yield* toWord(part[0], index + part.index)
        else yield* toGrams(part[0], index + part.index, withSingles)
      }
    }
  }
}

/** Empty if nothing remains after folding. */
function toWord(run: string, start: number): Token[] {
  const text = fold(run).slice(0, WORD_LENGTH_MAX).toWellFormed()
  return text === '' ? [] : [{ text, start, end: start + run.length, isGram: false }]
}

function* toSegments(run: string, start: number): Generator<Token> {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  for (const { segment, index } of segmenter.segment(run)) yield* toWord(segment, start + index)
}

/** Does the same as `toGrams` for characters of one UTF-16 unit with nothing to fold, in a third of the time. */
function* toPlainGrams(run: string, start: number, withSingles: boolean): Generator<Token> {
  const isSingle = withSingles || run.length === 1
  for (let at = 0; at < run.length; at++) {
    const from = start + at
    if (isSingle) yield { text: run.charAt(at), start: from, end: from + 1, isGram: true }
    if (at + 1 < run.length) yield { text: run.slice(at, at + 2), start: from, end: from + 2, isGram: true }
  }
}

function* toGrams(run: string, start: number, withSingles: boolean): Generator<Token> {
  const characters = charactersOf(run)
  for (const [index, { text, from, to }] of characters.entries()) {
    const next = characters[index + 1]
    if (withSingles || characters.length === 1) yield { text, start: start + from, end: start + to, isGram: true }
    if (next !== undefined) yield { text: text + next.text, start: start + from, end: start + next.to, isGram: true }
  }
}

const charactersOf = (run: string): { text: string; from: number; to: number }[] =>
  [...run.matchAll(CHARACTER)]
    .map(({ 0: character, index }) => ({ text: fold(character), from: index, to: index + character.length }))
    .filter(({ text }) => text !== '')
