import { endOfBraces, literalIn, type ReadAttributes, readAttributes } from './attributes.ts'
import type { Dialect } from './dialect.ts'
import { directives } from './directives.ts'
import { maskCode, maskPlainCode } from './mask.ts'
import { blocks } from './pymdown-blocks.ts'
import { variables } from './template-variables.ts'
import { type Element, NONE, pair, type Token } from './tokens.ts'

/** HTML that has no meaning without a style. What is in it is often indented. */
const WRAPPERS = new Set(['div', 'section', 'center', 'head'])
/** HTML that may become Markdown. All other tags stay. */
const REPLACED = new Set([...WRAPPERS, 'img', 'a', 'p', 'span', 'iframe', 'video'])

/** `{% name … %}` */
const TAG = /\{%-?\s*(end)?([@\w][\w./-]*)((?:"[^"]*"|'[^']*'|[^%"']|%(?!\}))*)%\}/g
/** `{{< name … >}}` and `{{% name … %}}` of Hugo */
const SHORTCODE = /\{\{([<%])\s*(\/)?\s*([\w./-]+)((?:"[^"]*"|[^"])*?)\/?\s*[%>]\}\}/g
const COMPONENT = /<(\/)?([A-Z][\w.]*|[a-z][a-z0-9-]*(?=[\s/>]))/g
const FENCE = /^([ \t]*):{3,}[ \t]*(?:([A-Za-z][\w.-]*)([^\n]*))?$/gm
const EXPRESSION = /(?<![\\{])\{(?![#%{:.])/g

/** Finds the directives of all tools. Expressions and tags with programs in them only mean something in MDX. */
export function findElements(text: string, dialect: Dialect): Element[] {
  const masked = maskCode(text)
  // What is indented in MDX is no code.
  const strict = dialect.isMdx ? masked : maskPlainCode(masked)
  const tokens = [
    ...tags(masked),
    ...shortcodes(masked),
    ...components(masked, text, dialect.isMdx),
    ...fences(masked, text),
    ...(dialect.hasVariables ? variables(strict, text, dialect.isMdx) : []),
    ...(dialect.hasDirectives ? directives(strict, text) : []),
    ...(dialect.hasPyMdown ? blocks(strict, text) : []),
  ]
  tokens.sort((a, b) => a.start - b.start || b.end - a.end)
  const apart: Token[] = []
  for (const token of tokens) if (token.start >= (apart.at(-1)?.end ?? 0)) apart.push(token)
  const paired = pair(apart)
  if (!dialect.isMdx) return paired
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
    const after = index + all.length
    if (!/[\s/>]/.test(text[after] ?? '>')) continue
    const read = readAttributes(text, after)
    if (read === undefined) continue
    const hasPrograms = text.slice(index, read.end).includes('{')
    if (!isOurs && !REPLACED.has(name)) {
      if (hasPrograms) found.push(withoutPrograms(name, read, index))
      continue
    }
    found.push({
      ...{ syntax: 'component', name, attributes: read.attributes, title: '', start: index, end: read.end },
      isHtml: !isOurs && !WRAPPERS.has(name) && !hasPrograms,
      kind: end !== undefined ? 'close' : read.isEmpty || name === 'img' ? 'empty' : 'open',
    })
  }
  return found
}

/** A tag of HTML stays, but its attributes that are programs mean nothing here. */
function withoutPrograms(name: string, { attributes, end, isEmpty }: ReadAttributes, start: number): Token {
  const written = [...attributes].map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${value.replaceAll('"', '&quot;')}"`,
  )
  const title = `<${name}${written.join('')}${isEmpty ? ' /' : ''}>`
  return { syntax: 'html', kind: 'empty', name, attributes: NONE, title, start, end }
}

function fences(masked: string, text: string): Token[] {
  return [...masked.matchAll(FENCE)].map(({ 0: all, 1: indent = '', 2: name, 3: rest = '', index }) => {
    const end = index + all.length
    const title = titleIn(text.slice(end - rest.length, end))
    const kind = name === undefined ? 'close' : 'open'
    return { syntax: 'fence', kind, name: name ?? '', attributes: NONE, title, start: index + indent.length, end }
  })
}

/** `[Title]{.class}` and `Title {open}` are only a title. */
function titleIn(rest: string): string {
  const title = rest.replace(/[ \t]*\{[^{}]*\}[ \t]*$/, '').trim()
  return /^\[(.*)\]$/.exec(title)?.[1] ?? title
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
