import { stem, tokenize } from '../../modules/knowledge/article-search/index.ts'

/** Something that can be found. */
export interface DocsEntry {
  href: string
  title: string
  /** What it is part of. */
  trail: string
  text: string
  /** A whole guide is a better result than a part of it that says the same. */
  boost: number
}

/** What a search looks up. It is made in a thread: the words of all guides take longer than others should wait. */
export interface DocsIndex {
  entries: readonly DocsEntry[]
  /** How strongly each entry is about a term, by term and number of the entry. */
  strengths: Map<string, Map<number, number>>
  /** All words as they are written, with their terms. */
  words: Map<string, string>
}

const WEIGHTS = { title: 6, trail: 3, text: 1 }

export function buildIndex(entries: readonly DocsEntry[]): DocsIndex {
  const index: DocsIndex = { entries, strengths: new Map(), words: new Map() }
  for (const [number, { title, trail, text }] of entries.entries()) {
    add(index, number, title, WEIGHTS.title)
    add(index, number, trail, WEIGHTS.trail)
    add(index, number, text, WEIGHTS.text)
  }
  return index
}

function add({ strengths, words }: DocsIndex, number: number, text: string, weight: number): void {
  const counts = new Map<string, number>()
  let length = 0
  for (const { text: word } of tokenize(text, false)) {
    const term = stem(word, 'en')
    words.set(word, term)
    counts.set(term, (counts.get(term) ?? 0) + 1)
    length++
  }
  for (const [term, count] of counts) {
    const entries = strengths.get(term) ?? new Map<number, number>()
    strengths.set(term, entries)
    // The tenth mention says little more than the second, and one among a thousand words less than one among ten.
    entries.set(number, (entries.get(number) ?? 0) + (weight * count) / (count + 0.5 + length / 200))
  }
}
