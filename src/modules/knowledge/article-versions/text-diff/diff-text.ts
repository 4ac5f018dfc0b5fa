import { compareLists } from './compare-lists.ts'
import { type DiffWord, WordDiff } from './word-diff.ts'

/** Each line includes its line ending, so joining the lines gives the text. Line numbers start at 1. */
export type DiffRow =
  | { type: 'equal'; before_line: number; after_line: number; text: string }
  | { type: 'removed'; before_line: number; after_line: null; text: string }
  | { type: 'added'; before_line: null; after_line: number; text: string }
  /** `equal` and `removed` words are the line before, `equal` and `added` words the line after. */
  | { type: 'changed'; before_line: number; after_line: number; words: DiffWord[] }
  /** Equal lines left out because they are far from any change. The line numbers are those of the first one. */
  | { type: 'folded'; before_line: number; after_line: number; count: number }

export interface TextDiff {
  /** Number of lines. A changed line counts as added and as removed. */
  added: number
  removed: number
  rows: DiffRow[]
}

const CONTEXT_LINES = 3

/** If more lines than this were moved, only the equal beginnings and ends of the texts are found. */
const EDITS_MAX = 1000

/** A longer block counts as rewritten: its removed and added lines are not matched. */
const MATCHED_LINES_MAX = 1000

/** How many added lines are searched for the new text of a removed line. */
const LOOK_AHEAD_LINES = 5

/** Compares two texts by line, and changed lines by word. Deterministic. */
export function diffText(before: string, after: string, contextLines = CONTEXT_LINES): TextDiff {
  const rows = new Rows()
  const words = new WordDiff()
  let removed: string[] = []
  let added: string[] = []
  for (const { type, items } of compareLists(linesOf(before), linesOf(after), EDITS_MAX)) {
    if (type === 'removed') removed = removed.concat(items)
    else if (type === 'added') added = added.concat(items)
    else {
      matchLines(removed, added, words, rows)
      for (const text of items) rows.equal(text)
      removed = []
      added = []
    }
  }
  matchLines(removed, added, words, rows)
  return { added: rows.added, removed: rows.removed, rows: fold(rows.all, contextLines) }
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? []

/** Pairs removed and added lines that are similar enough to be one changed line. */
function matchLines(removed: readonly string[], added: readonly string[], words: WordDiff, rows: Rows): void {
  const lookAhead = removed.length + added.length > MATCHED_LINES_MAX ? 0 : LOOK_AHEAD_LINES
  let next = 0
  for (const text of removed) {
    const candidates = added.slice(next, next + lookAhead)
    const found = candidates.findIndex((candidate) => words.areAlike(text, candidate))
    const changed = candidates[found]
    if (changed === undefined) {
      rows.remove(text)
      continue
    }
    for (const skipped of candidates.slice(0, found)) rows.add(skipped)
    rows.change(words.compare(text, changed))
    next += found + 1
  }
  for (const text of added.slice(next)) rows.add(text)
}

/** Collects rows and assigns line numbers. */
class Rows {
  readonly all: DiffRow[] = []
  added = 0
  removed = 0
  #before = 0
  #after = 0

  equal(text: string): void {
    this.all.push({ type: 'equal', before_line: ++this.#before, after_line: ++this.#after, text })
  }

  remove(text: string): void {
    this.removed++
    this.all.push({ type: 'removed', before_line: ++this.#before, after_line: null, text })
  }

  add(text: string): void {
    this.added++
    this.all.push({ type: 'added', before_line: null, after_line: ++this.#after, text })
  }

  change(words: DiffWord[]): void {
    this.removed++
    this.added++
    this.all.push({ type: 'changed', before_line: ++this.#before, after_line: ++this.#after, words })
  }
}

/** Folds equal lines that are more than `context` lines from any change. A single line is not worth a fold. */
function fold(rows: readonly DiffRow[], context: number): DiffRow[] {
  const parts: DiffRow[][] = []
  for (let end = 0; end < rows.length; ) {
    const start = end
    while (rows[end]?.type === 'equal') end++
    const from = start === 0 ? 0 : start + context
    const to = end === rows.length ? end : end - context
    const first = rows[from]
    if (first?.type === 'equal' && to - from > 1) {
      const { before_line, after_line } = first
      const fold: DiffRow = { type: 'folded', before_line, after_line, count: to - from }
      parts.push(rows.slice(start, from), [fold], rows.slice(to, end))
    } else parts.push(rows.slice(start, end))

    const changed = end
    while (end < rows.length && rows[end]?.type !== 'equal') end++
    parts.push(rows.slice(changed, end))
  }
  return parts.flat()
}
