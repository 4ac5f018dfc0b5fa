import { endOfBraces, literalIn } from './attributes.ts'
import { NONE, type Token } from './tokens.ts'

/** `{{ name }}`, unless it is escaped, or a shortcode. */
const OPENING = /(?<![\\{])\{\{(?![<%])/g
/** How GitBook writes the value of a variable. */
const EXPRESSION = /<code class="expression">([^<\n]*)<\/code>/g
/** Comments of Jinja. An anchor such as `{#name}` ends with a brace alone. */
const COMMENT = /\{#-?\s(?:[^#{]|#(?!\})|\{(?!#)){0,5000}#\}/g
/** Jekyll writes them before paths from the root of the site. */
const ROOT = /^site\.(?:baseurl|url)$/
/** A path, with filters that make an address of it. */
const ADDRESS = /^("[^"]*"|'[^']*')\s*\|\s*(?:relative_url|absolute_url|prepend:\s*site\.(?:baseurl|url))\b/
const BLANK_LINE = /\n[ \t]*\n/
const NAME_LENGTH_MAX = 40
const LENGTH_MAX = 1000

/** Finds what templates insert. A text is inserted as it is, all else is unknown. */
export function variables(masked: string, text: string, isMdx: boolean): Token[] {
  const found: Token[] = []
  const add = (start: number, end: number, kind: 'text' | 'unknown', title: string) =>
    found.push({ syntax: 'variable', kind: 'empty', name: kind, attributes: NONE, title, start, end })
  let closing = 0
  for (const { index } of masked.matchAll(OPENING)) {
    if (index < (found.at(-1)?.end ?? 0)) continue
    if (closing < index) closing = text.indexOf('}}', index)
    if (closing === -1) break
    const end = closing - index < LENGTH_MAX ? endOfBraces(text, index) : undefined
    const written = text.slice(index, end)
    // Braces that have nothing to do with each other can be far apart.
    if (end === undefined || !written.endsWith('}}') || BLANK_LINE.test(written)) continue
    const program = written.replace(/^\{+-?|-?\}+$/g, '').trim()
    const literal = ROOT.test(program) ? '' : literalIn(ADDRESS.exec(program)?.[1] ?? program)
    add(index, end, literal === undefined ? 'unknown' : 'text', literal ?? shortened(program))
  }
  for (const { 0: all, 1: program = '', index } of masked.matchAll(EXPRESSION)) {
    add(index, index + all.length, 'unknown', shortened(program))
  }
  if (isMdx) return found
  for (const { 0: all, index } of masked.matchAll(COMMENT)) add(index, index + all.length, 'text', '')
  return found
}

function shortened(program: string): string {
  const line = program.replace(/\s+/g, ' ')
  return line.length > NAME_LENGTH_MAX ? `${line.slice(0, NAME_LENGTH_MAX)}…` : line
}
