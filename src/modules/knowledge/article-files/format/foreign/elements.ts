import { type Attributes, endOfBraces, literalIn, readAttributes } from './attributes.ts'
import { maskCode } from './mask.ts'

/** Where a directive was found. The same name can mean different things. */
type Syntax = 'tag' | 'component' | 'shortcode' | 'fence' | 'expression'

/** A directive of another tool, with what is in it. */
export interface Element {
  syntax: Syntax
  name: string
  attributes: Attributes
  /** The rest of the opening line of a fence. */
  title: string
  start: number
  /** The text in it; empty if it has none. */
  innerStart: number
  innerEnd: number
  end: number
}

interface Token extends Omit<Element, 'innerStart' | 'innerEnd'> {
  kind: 'open' | 'close' | 'empty'
  /** Whether it means the same in Markdown, and stays. */
  isHtml?: boolean
}

/** HTML that has no meaning without a style. What is in it is often indented. */
const WRAPPERS = new Set(['div', 'section', 'center', 'head'])

const NONE: Attributes = new Map()
/** `{% name … %}` */
const TAG = /\{%-?\s*(end)?([@\w][\w./-]*)((?:"[^"]*"|'[^']*'|[^%"']|%(?!\}))*)%\}/g
/** `{{< name … >}}` and `{{% name … %}}` of Hugo */
const SHORTCODE = /\{\{([<%])\s*(\/)?\s*([\w./-]+)((?:"[^"]*"|[^"])*?)\/?\s*[%>]\}\}/g
const COMPONENT = /<(\/)?([A-Z][\w.]*|(?:div|section|center|head|img|a|p|span|iframe|video)(?=[\s/>]))/g
const FENCE = /^([ \t]*):{3,}[ \t]*(?:([A-Za-z][\w.-]*)([^\n]*))?$/gm
const EXPRESSION = /(?<![\\{$])\{(?![#%{:.])/g

/** Finds the directives of all tools. Expressions and tags with programs in them only mean something in MDX. */
export function findElements(text: string, isMdx: boolean): Element[] {
  const masked = maskCode(text)
  const tokens = [...tags(masked), ...shortcodes(masked), ...components(masked, text, isMdx), ...fences(masked)]
  tokens.sort((a, b) => a.start - b.start || b.end - a.end)
  const apart: Token[] = []
  for (const token of tokens) if (token.start >= (apart.at(-1)?.end ?? 0)) apart.push(token)
  const paired = pair(apart)
  if (!isMdx) return paired
  const taken = apart.map(({ start, end }) => ({ start, end }))
  return [...paired, ...expressions(masked, text, taken)].sort((a, b) => a.start - b.start)
}

function tags(masked: string): Token[] {
  return [...masked.matchAll(TAG)].map(({ 0: all, 1: end, 2: name = '', 3: rest = '', index }) => ({
    syntax: 'tag',
    kind: end === undefined ? 'open' : 'close',
    name,
    attributes: end === undefined ? (readAttributes(`${rest.replace(/-$/, '')}>`, 0)?.attributes ?? NONE) : NONE,
    title: rest.replace(/-$/, '').trim(),
    start: index,
    end: index + all.length,
  }))
}

function shortcodes(masked: string): Token[] {
  return [...masked.matchAll(SHORTCODE)].map(({ 0: all, 2: end, 3: name = '', 4: rest = '', index }) => ({
    syntax: 'shortcode',
    kind: end === undefined ? 'open' : 'close',
    name,
    attributes: readAttributes(`${rest}>`, 0)?.attributes ?? NONE,
    title: rest.trim(),
    start: index,
    end: index + all.length,
  }))
}

function components(masked: string, text: string, isMdx: boolean): Token[] {
  const found: Token[] = []
  for (const { 0: all, 1: end, 2: name = '', index } of masked.matchAll(COMPONENT)) {
    const isOurs = /^[A-Z]/.test(name)
    if (!isOurs && !isMdx) continue
    const isWrapper = WRAPPERS.has(name)
    const after = index + all.length
    if (!/[\s/>]/.test(text[after] ?? '>')) continue
    const read = readAttributes(text, after)
    if (read === undefined) continue
    found.push({
      ...{ syntax: 'component', name, attributes: read.attributes, title: '', start: index, end: read.end },
      isHtml: !isOurs && !isWrapper && !text.slice(index, read.end).includes('{'),
      kind: end !== undefined ? 'close' : read.isEmpty || name === 'img' ? 'empty' : 'open',
    })
  }
  return found
}

function fences(masked: string): Token[] {
  return [...masked.matchAll(FENCE)].map(({ 0: all, 1: indent = '', 2: name, 3: title = '', index }) => ({
    syntax: 'fence',
    kind: name === undefined ? 'close' : 'open',
    name: name ?? '',
    attributes: NONE,
    title: title.trim(),
    start: index + indent.length,
    end: index + all.length,
  }))
}

function expressions(masked: string, text: string, taken: readonly { start: number; end: number }[]): Element[] {
  const found: Element[] = []
  let last = 0
  let next = 0
  for (const { index } of masked.matchAll(EXPRESSION)) {
    while (next < taken.length && (taken[next] as { end: number }).end <= index) next++
    if (index < last || index >= (taken[next]?.start ?? Number.POSITIVE_INFINITY)) continue
    const end = endOfBraces(text, index)
    if (end === undefined) continue
    last = end
    const title = literalIn(text.slice(index + 1, end - 1))
    const isEmpty = { innerStart: end, innerEnd: end }
    const program = title === undefined ? 'expression' : 'literal'
    found.push({
      syntax: 'expression',
      name: program,
      attributes: NONE,
      title: title ?? '',
      start: index,
      end,
      ...isEmpty,
    })
  }
  return found
}

/** One that is never closed has no content. A fence is closed by any fence without a name. */
function pair(tokens: readonly Token[]): Element[] {
  const found: Element[] = []
  const open: Token[] = []
  const close = ({ syntax, name, attributes, title, start, end, isHtml }: Token, closing?: Token) => {
    if (isHtml === true) return
    const inner = { innerStart: end, innerEnd: closing?.start ?? end }
    found.push({ syntax, name, attributes, title, start, ...inner, end: closing?.end ?? end })
  }
  for (const token of tokens) {
    if (token.kind === 'open') open.push(token)
    else if (token.kind === 'empty') close(token)
    else {
      const isOpening = ({ syntax, name }: Token) =>
        syntax === token.syntax && (syntax === 'fence' || name === token.name)
      const at = open.findLastIndex(isOpening)
      const [opening, ...unclosed] = at === -1 ? [] : open.splice(at)
      for (const each of unclosed) close(each)
      // A closing tag alone is removed like an opening one.
      if (opening !== undefined) close(opening, token)
      else if (token.syntax !== 'fence' && !/^[a-z]/.test(token.name)) close(token)
    }
  }
  for (const token of open) close(token)
  return found.sort((a, b) => a.start - b.start)
}
