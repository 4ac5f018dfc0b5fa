import { compareLists, type Run } from './compare-lists.ts'

export interface DiffWord {
  type: Run['type']
  text: string
}

const EDITS_PER_LINE_MAX = 500
/** The budget for all lines of a text. Each comparison costs the square of its edits. */
const STEPS_MAX = 1_000_000

interface Words {
  all: string[]
  /** Occurrences of each word, without white space. */
  counts: Map<string, number>
  /** Total length, without white space. */
  size: number
}

/** Compares lines by word, also in scripts without spaces between words. */
export class WordDiff {
  /** A fixed locale, so that the result does not depend on the machine. The rules segment all languages anyway. */
  readonly #segmenter = new Intl.Segmenter('en', { granularity: 'word' })
  readonly #known = new Map<string, Words>()
  #stepsLeft = STEPS_MAX

  /** Whether two lines share at least a third of their words, measured on the longer line. */
  areAlike(one: string, other: string): boolean {
    const [shorter, longer] = [this.#wordsOf(one), this.#wordsOf(other)].sort((a, b) => a.counts.size - b.counts.size)
    if (shorter === undefined || longer === undefined) return false
    let shared = 0
    for (const [word, count] of shorter.counts) shared += word.length * Math.min(count, longer.counts.get(word) ?? 0)
    return shared * 3 >= Math.max(shorter.size, longer.size)
  }

  compare(before: string, after: string): DiffWord[] {
    const editsMax = Math.min(EDITS_PER_LINE_MAX, Math.floor(Math.sqrt(this.#stepsLeft)))
    const runs = compareLists(this.#wordsOf(before).all, this.#wordsOf(after).all, editsMax)
    const edits = runs.reduce((sum, { type, items }) => (type === 'equal' ? sum : sum + items.length), 0)
    this.#stepsLeft -= Math.min(edits, editsMax) ** 2
    return runs.map(({ type, items }) => ({ type, text: items.join('') }))
  }

  #wordsOf(line: string): Words {
    const known = this.#known.get(line)
    if (known !== undefined) return known
    const words: Words = { all: [], counts: new Map(), size: 0 }
    for (const { segment } of this.#segmenter.segment(line)) {
      words.all.push(segment)
      if (segment.trim() === '') continue
      words.counts.set(segment, (words.counts.get(segment) ?? 0) + 1)
      words.size += segment.length
    }
    this.#known.set(line, words)
    return words
  }
}
