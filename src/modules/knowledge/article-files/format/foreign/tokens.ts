import type { Attributes } from './attributes.ts'

/** Where a directive was found. The same name can mean different things. */
export type Syntax =
  | 'tag'
  | 'component'
  | 'html'
  | 'shortcode'
  | 'fence'
  | 'leaf'
  | 'directive'
  | 'block'
  | 'variable'
  | 'expression'

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

export interface Token extends Omit<Element, 'innerStart' | 'innerEnd'> {
  /** One that closes without a name closes the last one of its syntax. */
  kind: 'open' | 'close' | 'empty'
  /** Whether it means the same in Markdown, and stays. */
  isHtml?: boolean
  /** What the closing one repeats. */
  marker?: string
}

export const NONE: Attributes = new Map()

/** One that is never closed has no content. */
export function pair(tokens: readonly Token[]): Element[] {
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
      const isOpening = ({ syntax, name, marker }: Token) =>
        syntax === token.syntax && marker === token.marker && (token.name === '' || name === token.name)
      const at = open.findLastIndex(isOpening)
      const [opening, ...unclosed] = at === -1 ? [] : open.splice(at)
      for (const each of unclosed) close(each)
      // A closing tag alone is removed like an opening one.
      if (opening !== undefined) close(opening, token)
      else if (/^[^a-z]/.test(token.name)) close(token)
    }
  }
  for (const token of open) close(token)
  return found.sort((a, b) => a.start - b.start)
}
