import { OperatorError } from '../../../platform/errors/operator-error.ts'

/** Says what is wrong with a file, and where it is known, in which line. */
export type Complain = (text: string, line?: number) => void

interface Complaint {
  file: string
  line: number | undefined
  text: string
}

/** Gathered over all files, so that whoever has to put them right sees all of them at once. */
export class Complaints {
  readonly #all: Complaint[] = []

  about(file: string): Complain {
    return (text, line) => void this.#all.push({ file, line, text })
  }

  /** Throws all of them under this heading, when there are any. */
  refuse(heading: string): void {
    if (this.#all.length === 0) return
    const lines = this.#all.sort(byPlace).map(toLine)
    throw new OperatorError([heading, ...lines].join('\n'))
  }
}

const byPlace = (a: Complaint, b: Complaint): number =>
  a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1

/** File names and values may hold whatever a terminal would take for a command. */
const toLine = ({ file, line, text }: Complaint): string =>
  `  ${[file, ...(line === undefined ? [] : [line])].join(':')}: ${text}`.replace(/\p{Cc}/gu, '�')
