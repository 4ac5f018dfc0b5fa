import { fold, isPlain } from './fold.ts'

/** A piece of a text that can be searched for, and where it stands. */
export interface Token {
  /** Folded. */
  text: string
  start: number
  end: number
  /** Of a script that puts no spaces between words: then it is one or two characters of such a run. */
  isGram: boolean
}

/** What is longer is no word; two that begin alike for so long are taken for the same. */
const WORD_LENGTH_MAX = 40

/** A shortened word stays whole (don't, printer's); an elided article does not (l'eau). A soft hyphen is no border. */
const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad]*(?:['’]\p{L}(?![\p{L}\p{N}\p{M}]))?/gu

const UNSPACED = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}'
const FIRST_UNSPACED = '\u3041'
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u')
const PARTS = new RegExp(`(?<unspaced>(?:[${UNSPACED}][\\p{M}\uff9e\uff9f]*)+)|[^${UNSPACED}]+`, 'gu')
/** One character with whatever changes its sound. */
const CHARACTER = /.[\p{M}\uff9e\uff9f]*/gsu

/**
 * The words of a text, in order. Of Japanese, Chinese and Korean every pair of neighbouring characters, because nobody
 * marks where a word ends; and each character alone, when asked for, so that it can be found by itself.
 */
export function* tokenize(text: string, withSingles: boolean): Generator<Token> {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    // Nearly all runs are the one or the other; only what is mixed or rare is looked at closely.
    if (run >= FIRST_UNSPACED && isPlain(run)) yield* toPlainGrams(run, index, withSingles)
    else if (!HAS_UNSPACED.test(run)) yield* toWord(run, index)
    else {
      for (const part of run.matchAll(PARTS)) {
        if (part.groups?.unspaced === undefined) yield* toWord(part[0], index + part.index)
        else yield* toGrams(part[0], index + part.index, withSingles)
      }
    }
  }
}

/** None, when nothing is left of it. */
function toWord(run: string, start: number): Token[] {
  const text = fold(run).slice(0, WORD_LENGTH_MAX).toWellFormed()
  return text === '' ? [] : [{ text, start, end: start + run.length, isGram: false }]
}

/** Of characters that are one unit each, with nothing to fold: the same in a third of the time. */
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
