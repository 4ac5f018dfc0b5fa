import { Parser } from 'htmlparser2'

export type HtmlNode = string | HtmlElement

export interface HtmlElement {
  name: string
  attributes: Readonly<Record<string, string>>
  children: HtmlNode[]
}

/** Deeper content stays, without the elements around it. */
const DEPTH_MAX = 60
const DROPPED = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'textarea', 'select', 'svg'])

/** Reads HTML as browsers do, without what is not meant to be read. */
export function readHtml(html: string): HtmlElement {
  const root: HtmlElement = { name: 'root', attributes: {}, children: [] }
  const open = [root]
  let dropped = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (DROPPED.has(name)) dropped++
      const element: HtmlElement = { name, attributes, children: [] }
      if (dropped === 0 && open.length <= DEPTH_MAX) open.at(-1)?.children.push(element)
      // Beyond the limit, the text goes to the last element within it.
      open.push(open.length <= DEPTH_MAX ? element : (open.at(-1) as HtmlElement))
    },
    ontext(text) {
      if (dropped === 0) open.at(-1)?.children.push(text)
    },
    onclosetag(name) {
      if (DROPPED.has(name)) dropped--
      if (open.length > 1) open.pop()
    },
  })
  parser.end(html)
  return root
}

export const textOf = (node: HtmlNode): string => (typeof node === 'string' ? node : node.children.map(textOf).join(''))
