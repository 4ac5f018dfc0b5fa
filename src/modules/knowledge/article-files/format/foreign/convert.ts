import { type Dialect, dialectOf, type Source } from './dialect.ts'
import { findElements } from './elements.ts'
import { append, indented, isBlank, type Line, toLines } from './lines.ts'
import { withoutMarks } from './marks.ts'
import { maskCode } from './mask.ts'
import { replaceMkDocs } from './mkdocs.ts'
import { withoutComments, withoutPrograms } from './program.ts'
import { isInline, renderElement } from './render.ts'
import { replaceSnippets } from './snippets.ts'
import type { Element } from './tokens.ts'

/** A text of another tool as our Markdown. */
interface Converted {
  content: string
  /** The line of the file from which a line of the content comes, both starting at 1. */
  numbers: number[]
}

/** Replaces the directives of other tools. What is unknown is reported once for each file. */
export function convert(
  source: Source,
  text: string,
  firstNumber: number,
  report: (message: string, number: number) => void,
): Converted {
  const reported = new Set<string>()
  const warn = (message: string, number: number) => {
    if (reported.has(message)) return
    reported.add(message)
    report(message, number)
  }
  const dialect = dialectOf(source, text)
  const prepared = prepare(text, firstNumber, dialect, warn)
  const converted = new Conversion(prepared, dialect, warn).run()
  return { content: converted.map((line) => line.text).join('\n'), numbers: converted.map(({ number }) => number) }
}

type Warn = (message: string, number: number) => void

/** Replaces what has a meaning for its line alone, and keeps the number of lines until tabs get headings. */
function prepare(text: string, firstNumber: number, dialect: Dialect, warn: Warn): Line[] {
  if (dialect.isMdx) return toLines(withoutPrograms(text), firstNumber)
  const bare = withoutMarks(withoutComments(dialect.hasTagsInCode ? withoutRawInCode(text) : text), dialect)
  return replaceMkDocs(replaceSnippets(toLines(bare, firstNumber), dialect.isMkDocs, warn), warn)
}

/** Where code is a template, too, `{% raw %}` keeps it as it is. */
function withoutRawInCode(text: string): string {
  const masked = maskCode(text)
  return text.replace(/\{%-?\s*(?:end)?raw\s*-?%\}/g, (tag, at: number) => (masked[at] === ' ' ? '' : tag))
}

class Conversion {
  readonly #lines: readonly Line[]
  readonly #text: string
  readonly #elements: readonly Element[]
  readonly #warn: Warn
  /** Where each line begins. */
  readonly #starts: number[] = []
  #next = 0

  constructor(lines: readonly Line[], dialect: Dialect, warn: Warn) {
    this.#lines = lines
    this.#text = lines.map(({ text }) => text).join('\n')
    this.#elements = findElements(this.#text, dialect)
    this.#warn = warn
    let start = 0
    for (const { text } of lines) {
      this.#starts.push(start)
      start += text.length + 1
    }
  }

  run(): Line[] {
    return this.#elements.length === 0 ? [...this.#lines] : this.#convert(0, this.#text.length)
  }

  /** Takes the elements in order. What is in an element is converted before it. */
  #convert(start: number, end: number): Line[] {
    const out: Line[] = []
    let at = start
    for (;;) {
      const element = this.#elements[this.#next]
      if (element === undefined || element.start >= end) break
      this.#next++
      append(out, this.#slice(at, element.start))
      const number = this.#numberAt(element.start)
      const inner = this.#convert(element.innerStart, element.innerEnd)
      const rendered = renderElement({ element, inner, number, warn: (message) => this.#warn(message, number) })
      at = element.end
      const rest = this.#restOfLine(at, end)
      const before = out.at(-1)
      if (!isInline(element) && rest.trim() === '' && (before === undefined || isBlank(before))) {
        addBlock(out, rendered, number)
        at += rest.length
      } else {
        // Only what is one line can be in the middle of one.
        const texts = rendered.length === 1 ? rendered.map(({ text }) => text) : inner.map(({ text }) => text.trim())
        append(out, [{ text: rendered.length === 0 ? '' : texts.filter((text) => text !== '').join(' '), number }])
      }
    }
    append(out, this.#slice(at, end))
    return out
  }

  #slice(start: number, end: number): Line[] {
    return start >= end ? [] : toLines(this.#text.slice(start, end), this.#numberAt(start))
  }

  /** What follows on the same line, until the next directive. */
  #restOfLine(at: number, end: number): string {
    const next = Math.min(end, this.#elements[this.#next]?.start ?? end)
    return /^[^\n]*/.exec(this.#text.slice(at, next))?.[0] ?? ''
  }

  /** Lines may come from a text in which some were added or removed before. */
  #numberAt(at: number): number {
    let [low, high] = [0, this.#starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#starts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return this.#lines[low]?.number ?? 1
  }
}

/** Adds lines with the indentation of the directive, and blank lines around them. */
function addBlock(out: Line[], block: readonly Line[], number: number): void {
  const indent = out.pop()?.text ?? ''
  const last = out.at(-1)
  if (block.length > 0 && last !== undefined && !isBlank(last)) out.push({ text: '', number })
  for (const line of indented(block, indent)) out.push(line)
  // The line break after the directive follows.
  out.push({ text: '', number })
}
