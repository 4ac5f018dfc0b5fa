import { fold } from './fold.ts'

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
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u')
const PARTS = new RegExp(`(?<unspaced>(?:[${UNSPACED}][\\p{M}\uff9e\uff9f]*)+)|[^${UNSPACED}]+`, 'gu')
/** One character with whatever changes its sound. */
const CHARACTER = /.[\p{M}\uff9e\uff9f]*/gsu

/**
 * The words of a text, in order. Of Japanese, Chinese and Korean every pair of neighbouring characters, because nobody
 * marks where a word ends; and each character alone, when asked for, so that it can be found by itself.
 */
export function* tokenize(text: string, withSingles: boolean): Generator<Token> {
  for (const token of tokensOf(text, withSingles)) if (token.text !== '') yield token
}

function* tokensOf(text: string, withSingles: boolean): Generator<Token> {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (!HAS_UNSPACED.test(run)) yield toWord(run, index)
    else {
      for (const part of run.matchAll(PARTS)) {
        if (part.groups?.unspaced === undefined) yield toWord(part[0], index + part.index)
        else yield* toGrams(part[0], index + part.index, withSingles)
      }
    }
  }
}

const toWord = (word: string, start: number): Token => ({
  text: fold(word).slice(0, WORD_LENGTH_MAX).toWellFormed(),
  start,
  end: start + word.length,
  isGram: false,
})

function* toGrams(run: string, start: number, withSingles: boolean): Generator<Token> {
  const characters = [...run.matchAll(CHARACTER)].map(({ 0: character, index }) => ({
    text: fold(character),
    start: start + index,
    end: start + index + character.length,
  }))
  for (const [index, first] of characters.entries()) {
    const second = characters[index + 1]
    if (withSingles || characters.length === 1) yield { ...first, isGram: true }
    if (second !== undefined)
      yield { text: first.text + second.text, start: first.start, end: second.end, isGram: true }
  }
}
