import { OperatorError } from '../../../../platform/errors/operator-error.ts'

/** Reports a problem of a file, with its line number if known. */
export type ReportProblem = (text: string, line?: number) => void

interface Problem {
  file: string
  line: number | undefined
  text: string
}

/** Something that an import could not keep, and that does not stop it. */
export interface ImportWarning {
  file: string
  line: number | null
  message: string
}

/** Enough to see what is wrong with a folder. */
const WARNINGS_MAX = 1000

/** Collects the problems of all files, so that the user sees all of them at once. */
export class Problems {
  readonly #all: Problem[] = []

  reporterFor(file: string): ReportProblem {
    return (text, line) => void this.#all.push({ file, line, text })
  }

  /** The first ones, in the order of files and lines. */
  toWarnings(): ImportWarning[] {
    const sorted = this.#all.sort(byFileAndLine).slice(0, WARNINGS_MAX)
    return sorted.map(({ file, line = null, text }) => ({ file: printable(file), line, message: printable(text) }))
  }

  throwIfAny(heading: string): void {
    if (this.#all.length === 0) return
    const lines = this.#all.sort(byFileAndLine).map(toLine)
    throw new OperatorError([heading, ...lines].join('\n'))
  }
}

const byFileAndLine = (a: Problem, b: Problem): number =>
  a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1

/** Replaces control characters: file names and values may contain terminal commands. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '�')

const toLine = ({ file, line, text }: Problem): string =>
  printable(`  ${[file, ...(line === undefined ? [] : [line])].join(':')}: ${text}`)
