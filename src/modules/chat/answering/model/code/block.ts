/** A block of code that a model writes, also below an item of a list. Its first line has no more backticks. */
const BEGINNING = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})([^\n]*)(?:\n|$)/
/** The number of the passage may follow. */
const END = /^[ \t]*(`{3,}|~{3,})[ \t]*(?:\[[\d,; ]{1,40}\][ \t]*)*(\n|$(?![\s\S]))/gm
const LANGUAGE = /^[ \t]*([\w+#.-]{1,30})/

export interface WrittenBlock {
  /** What is before the code in its first line, such as the number of an item. */
  before: string
  language: string
  lines: string[]
  /** Its length with the fences. */
  length: number
}

/**
 * Reads the block of code at the beginning of a text, undefined if there is none. `open`: its end is not written yet.
 * `isWhole`: nothing follows the text, so that its end is also that of the block.
 */
export function readCodeBlock(text: string, isWhole: boolean): WrittenBlock | 'open' | undefined {
  const [beginning, before = '', fence = '', rest = ''] = BEGINNING.exec(text) ?? []
  if (beginning === undefined) return undefined
  const toBlock = (codeEnd: number, length: number): WrittenBlock => ({
    before,
    language: LANGUAGE.exec(rest)?.[1] ?? '',
    lines: text.slice(beginning.length, codeEnd).replace(/\n$/, '').split('\n'),
    length,
  })
  END.lastIndex = beginning.length
  for (let end = END.exec(text); end !== null; end = END.exec(text)) {
    const [line, marks = '', lineEnd] = end
    if (!marks.startsWith(fence)) continue
    if (lineEnd === '' && !isWhole) return 'open'
    return toBlock(end.index, end.index + line.length)
  }
  return isWhole ? toBlock(text.length, text.length) : 'open'
}

/** Writes a block with fences that its lines cannot end. */
export function writeCodeBlock(
  { before, language }: Pick<WrittenBlock, 'before' | 'language'>,
  lines: readonly string[],
): string {
  const longest = Math.max(0, ...lines.flatMap((line) => line.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  const indent = before.replaceAll(/\S/g, ' ')
  const indented = [...lines, fence].map((line) => (line === '' ? '' : `${indent}${line}`))
  return `${before}${fence}${language}\n${indented.join('\n')}\n`
}
