import { readKeys } from '../loose-yaml.ts'
import { NONE, type Token } from './tokens.ts'

/** `/// name | title`, and `///` with as many strokes. */
const BLOCK = /^([ \t]*)(\/{3,})[ \t]*(?:([A-Za-z][\w-]*)[ \t]*(?:\|[^\n]*)?)?$/gm
/** Settings follow the first line without a blank one. */
const OPTIONS = /(?:\n[ \t]{4,}[\w-]+:(?:[ \t][^\n]*)?)+(?=\n[ \t]*(?:\n|$)|$)/y

/** Finds the blocks of PyMdown, which MkDocs has in place of `!!! note`. */
export function blocks(masked: string, text: string): Token[] {
  return [...masked.matchAll(BLOCK)].map(({ 0: all, 1: indent = '', 2: marker = '', 3: name = '', index }): Token => {
    const start = index + indent.length
    const lineEnd = index + all.length
    if (name === '') {
      return { syntax: 'block', kind: 'close', name, marker, attributes: NONE, title: '', start, end: lineEnd }
    }
    OPTIONS.lastIndex = lineEnd
    const [options = ''] = OPTIONS.exec(text) ?? []
    const [, title = ''] = /\|(.*)$/.exec(text.slice(start, lineEnd)) ?? []
    const attributes = new Map([...optionsIn(options), ['title', title.trim()] as const])
    const end = lineEnd + options.length
    return { syntax: 'block', kind: 'open', name, marker, attributes, title: '', start, end }
  })
}

const optionsIn = (options: string) =>
  [...readKeys(options).keys].flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as const] : []))
