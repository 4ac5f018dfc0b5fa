import { findVerbatim, type VerbatimPart } from '../../../../../platform/markdown/verbatim/find-verbatim.ts'
import type { Passage } from '../../retrieval/retrieve.ts'

/** Some models write the number of the passage behind a command. */
const MARK_AT_END = /[^\S\n]*\[\d{1,4}\]$/
const DELIMITERS = /^(?:`+|\$+)|(?:`+|\$+)$/g

/** The code and the formulas of the passages that a model was given. */
export class KnownCode {
  readonly #passages: readonly { passage: Passage; lines: readonly string[] }[]

  constructor(passages: readonly Passage[]) {
    this.#passages = passages.map((passage) => {
      const toLines = ({ kind, from, to }: VerbatimPart): string[] => {
        const text = passage.markdown.slice(from, to)
        return kind === 'block' ? text.split('\n') : [contentOf(text)]
      }
      return { passage, lines: findVerbatim(passage.markdown).flatMap(toLines) }
    })
  }

  /** Whether a passage has this code, as a whole or as some of its words. */
  has(span: string): boolean {
    const words = ` ${contentOf(span)} `
    return (
      words.trim() !== '' &&
      this.#passages.some(({ lines }) => lines.some((line) => ` ${line.trim()} `.includes(words)))
    )
  }

  /** Returns these lines as a passage has them, in its order. Undefined if none has all of them. */
  quote(written: readonly string[]): { passage: Passage; lines: string[] } | undefined {
    for (const { passage, lines } of this.#passages) {
      const found = findInOrder(lines, written)
      if (found !== undefined) return { passage, lines: withoutIndent(found) }
    }
    return undefined
  }
}

/** Removes the marks around it, and the spaces that they may have. */
const contentOf = (span: string): string => span.replaceAll(DELIMITERS, '').trim()

function findInOrder(lines: readonly string[], written: readonly string[]): string[] | undefined {
  const found: string[] = []
  let at = 0
  for (const line of written) {
    const text = line.trim()
    const isSame = (known: string) => known.trim() === text || known.trim() === text.replace(MARK_AT_END, '')
    const next = text === '' ? -1 : lines.findIndex((known, n) => n >= at && isSame(known))
    if (text === '') found.push('')
    else if (next === -1) return undefined
    else {
      found.push((lines[next] as string).trimEnd())
      at = next + 1
    }
  }
  return found
}

function withoutIndent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line !== '').map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0)
  const indent = Math.min(...indents)
  return lines.map((line) => line.slice(indent))
}
