import { calloutKind } from '../../../../../platform/markdown/index.ts'
import { indentOf, isBlank, type Line } from './lines.ts'
import { maskCode } from './mask.ts'

const TAB = /^([ \t]*)===[+!]?[ \t]+"([^"]*)"[ \t]*$/
const ADMONITION =
  /^([ \t]*)(!!!|\?\?\?\+?)[ \t]+([A-Za-z][\w-]*)((?:[ \t]+[A-Za-z][\w-]*)*)(?:[ \t]+"((?:[^"\\]|\\.)*)")?[ \t]*$/
/** A list of contents, and abbreviations that are shown when a reader points at them. */
const INVISIBLE = /^[ \t]*\[TOC\][ \t]*$|^\*\[[^\]]+\]:.*$/
/** The heading of what is documented in a program. */
const DOCUMENTED = /^(#{1,6})[ \t]+:::[ \t]+(\S+)[ \t]*$/
const ATTRIBUTE = String.raw`(?:[.#][\w-]+|[\w:-]+=(?:"[^"]*"|'[^']*'|[^\s}"']+)|markdown|annotate)`
const ATTRIBUTES = new RegExp(
  String.raw`(?:(?<=[)\]*_\x60>])|[ \t]+(?=\{[^{}]*\}[ \t]*$)|^[ \t]*)\{:?[ \t]*${ATTRIBUTE}(?:[ \t]+${ATTRIBUTE})*[ \t]*\}`,
  'g',
)
const HEADING_ID = /^#{1,6}[ \t].*\{:?[ \t]*(#[\w-]+)[^}]*\}[ \t]*$/
const ICON = /:(?:material|octicons|fontawesome|simple)-[a-z0-9-]+:(?:\{[^}\n]*\})?/g

/** Replaces what MkDocs adds to Markdown. The renderer knows `!!! note` itself. */
export function replaceMkDocs(lines: readonly Line[], warn: (message: string, number: number) => void): Line[] {
  const masked = maskCode(lines.map(({ text }) => text).join('\n')).split('\n')
  const replaced = lines.map((line, n) => {
    const isCode = isBlank({ text: masked[n] ?? '', number: 0 })
    return isCode ? line : { ...line, text: replaceLine(line, masked[n] ?? '', warn) }
  })
  return replaceTabs(replaced, masked)
}

function replaceLine({ text, number }: Line, masked: string, warn: (message: string, number: number) => void): string {
  if (INVISIBLE.test(masked)) return ''
  const [, level = '', program] = DOCUMENTED.exec(text) ?? []
  if (program !== undefined) {
    warn(`The documentation of ${program} is not imported.`, number)
    return `${level} ${program}`
  }
  const [all, indent = '', marker = '', name = '', , title] = ADMONITION.exec(text) ?? []
  if (all !== undefined) {
    const isKnown = calloutKind(name) !== undefined && /^[A-Za-z]+$/.test(name)
    if (!isKnown) warn(`There is no callout ${name} here. It became a note.`, number)
    const shown = title ?? (isKnown ? undefined : name.replaceAll('-', ' '))
    const quoted = shown === undefined || shown === '' ? '' : ` "${shown.replaceAll(/\\?"/g, '”')}"`
    return `${indent}${marker} ${isKnown ? name : 'note'}${quoted}`
  }
  const [, id] = HEADING_ID.exec(text) ?? []
  if (id !== undefined) return text.replace(/[ \t]*\{[^}]*\}[ \t]*$/, ` {${id}}`)
  if (!/[{:]/.test(masked)) return text
  const bare = removeUnmasked(text, masked, ATTRIBUTES)
  return removeUnmasked(bare.text, bare.masked, ICON).text
}

/** Removes what matches outside of code. */
function removeUnmasked(text: string, masked: string, pattern: RegExp): { text: string; masked: string } {
  let [kept, keptMasked, end] = ['', '', 0]
  for (const { 0: all, index } of masked.matchAll(pattern)) {
    kept += text.slice(end, index)
    keptMasked += masked.slice(end, index)
    end = index + all.length
  }
  return { text: kept + text.slice(end), masked: keptMasked + masked.slice(end) }
}

/** Tabs are shown below each other, under headings. */
function replaceTabs(lines: readonly Line[], masked: readonly string[]): Line[] {
  const out: Line[] = []
  /** How far the contents of open tabs are indented. */
  const open: number[] = []
  for (const [n, line] of lines.entries()) {
    const width = indentOf(line.text).length
    if (!isBlank(line)) while (open.length > 0 && width < (open.at(-1) ?? 0)) open.pop()
    const removed = Math.min(4 * open.length, width)
    const text = line.text.slice(removed)
    const [all, indent = '', title = ''] = TAB.exec(masked[n]?.trim() === '' ? '' : line.text) ?? []
    if (all === undefined) {
      out.push({ ...line, text })
      continue
    }
    out.push({ text: '', number: line.number })
    out.push({ text: `${indent.slice(removed)}#### ${title}`, number: line.number }, { text: '', number: line.number })
    open.push(indent.length + 4)
  }
  return out
}
