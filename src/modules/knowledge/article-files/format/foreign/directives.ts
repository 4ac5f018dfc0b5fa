import { endOfBraces } from './attributes.ts'
import { NONE, type Token } from './tokens.ts'

/** `:name[label]{…}` in a sentence, and `::name[label]{…}` on a line of its own. Times, addresses and `:smile:` are neither. */
const HEAD = /(?:(?<=^[ \t]*)::|(?<![\w:/\\&;]):)([A-Za-z][\w-]*)(?=\[(?!\^)|\{)/gm
/** A leaf without anything, or what ends one with a content. */
const ALONE = /^([ \t]*)::([A-Za-z][\w-]*)?[ \t]*$/gm
/** Limits the length of a label, and of attributes. */
const LENGTH_MAX = 1000

/** Finds the directives of remark that have fewer than three colons. */
export function directives(masked: string, text: string): Token[] {
  const found: Token[] = []
  for (const { 0: all, 1: name = '', index } of masked.matchAll(HEAD)) {
    const isLeaf = all.startsWith('::')
    const start = index + all.length
    const labelEnd = text[start] === '[' ? endOfLabel(masked, start) : start
    if (labelEnd === undefined) continue
    const end = text[labelEnd] === '{' ? (endOnLine(text, labelEnd) ?? labelEnd) : labelEnd
    if (end === start || (isLeaf && !/^[ \t]*(?:\n|$)/.test(text.slice(end, end + 200)))) continue
    const token = { syntax: isLeaf ? 'leaf' : 'directive', name, attributes: NONE, title: '' } as const
    if (labelEnd === start) found.push({ ...token, kind: isLeaf ? 'open' : 'empty', start: index, end })
    else {
      found.push({ ...token, kind: 'open', start: index, end: start + 1 })
      found.push({ ...token, kind: 'close', start: labelEnd - 1, end })
    }
  }
  for (const { 0: all, 1: indent = '', 2: name = '', index } of masked.matchAll(ALONE)) {
    const kind = name === '' ? 'close' : 'open'
    const [start, end] = [index + indent.length, index + all.length]
    found.push({ syntax: 'leaf', kind, name, attributes: NONE, title: '', start, end })
  }
  return found
}

/** The place after the bracket that closes the one at `start`, on the same line. */
function endOfLabel(masked: string, start: number): number | undefined {
  let depth = 0
  const last = Math.min(masked.length, start + LENGTH_MAX)
  for (let at = start; at < last && masked[at] !== '\n'; at++) {
    if (masked[at] === '\\') at++
    else if (masked[at] === '[') depth++
    else if (masked[at] === ']' && --depth === 0) return at + 1
  }
  return undefined
}

function endOnLine(text: string, start: number): number | undefined {
  const [line = ''] = text.slice(start, start + LENGTH_MAX).split('\n', 1)
  const end = endOfBraces(line, 0)
  return end === undefined ? undefined : start + end
}
