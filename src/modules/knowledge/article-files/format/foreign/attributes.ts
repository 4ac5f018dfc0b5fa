/** A value in braces is a program, of which only literals can be read. */
export type Attributes = ReadonlyMap<string, string | undefined>

export interface ReadAttributes {
  attributes: Attributes
  /** The place after the closing character. */
  end: number
  isEmpty: boolean
}

const NAME = /[A-Za-z_@:][\w.:-]*/y
const TAG_LENGTH_MAX = 20_000

/** Reads the attributes of a tag from the place after its name. Undefined if it is no tag. */
export function readAttributes(text: string, start: number): ReadAttributes | undefined {
  const attributes = new Map<string, string | undefined>()
  let at = start
  while (at < text.length && at - start < TAG_LENGTH_MAX) {
    const character = text[at] as string
    if (character === '>') return { attributes, end: at + 1, isEmpty: false }
    if (text.startsWith('/>', at)) return { attributes, end: at + 2, isEmpty: true }
    if (/\s/.test(character)) at++
    else if (character === '{') {
      // Attributes that a program adds, or a comment.
      const end = endOfBraces(text, at)
      if (end === undefined) return undefined
      at = end
    } else {
      NAME.lastIndex = at
      const [name] = NAME.exec(text) ?? []
      if (name === undefined) return undefined
      at += name.length
      const equals = /\s*=\s*/y
      equals.lastIndex = at
      if (!equals.test(text)) {
        attributes.set(name, '')
        continue
      }
      const value = readValue(text, equals.lastIndex)
      if (value === undefined) return undefined
      attributes.set(name, value.value)
      at = value.end
    }
  }
  return undefined
}

function readValue(text: string, start: number): { value: string | undefined; end: number } | undefined {
  const quote = text[start]
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, start + 1)
    return end === -1 ? undefined : { value: text.slice(start + 1, end), end: end + 1 }
  }
  if (quote === '{') {
    const end = endOfBraces(text, start)
    return end === undefined ? undefined : { value: literalIn(text.slice(start + 1, end - 1)), end }
  }
  const [bare = ''] = /^[^\s"'`=<>]+/.exec(text.slice(start, start + TAG_LENGTH_MAX)) ?? []
  return bare === '' ? undefined : { value: bare.replace(/\/$/, ''), end: start + bare.replace(/\/$/, '').length }
}

/** The place after the brace that closes the one at `start`. Braces in strings do not count. */
export function endOfBraces(text: string, start: number): number | undefined {
  let depth = 0
  let quote: string | undefined
  for (let at = start; at < text.length && at - start < TAG_LENGTH_MAX; at++) {
    const character = text[at] as string
    if (quote !== undefined) {
      if (character === '\\') at++
      else if (character === quote) quote = undefined
    } else if (character === '"' || character === '`' || (character === "'" && /[\s{(,:=[]/.test(text[at - 1] ?? ''))) {
      quote = character
    } else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at + 1
  }
  return undefined
}

const LITERAL = /^\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`|(\d+(?:\.\d+)?))\s*$/
/** `useBaseUrl('/img/x.png')` and `require('./x.png').default` of Docusaurus name a file. */
const NAMED_FILE = /^\s*(?:useBaseUrl|require)\(\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\)(?:\.default)?\s*$/

/** The text of a program that is nothing but a text. */
export const literalIn = (program: string): string | undefined =>
  (LITERAL.exec(program) ?? NAMED_FILE.exec(program))?.slice(1).find((value) => value !== undefined)
