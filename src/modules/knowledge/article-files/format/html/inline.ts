import { html } from '../../../../../platform/text/html.ts'
import { type HtmlElement, type HtmlNode, textOf } from './tree.ts'

/** HTML that our Markdown has, too. */
const KEPT = new Set(['u', 'sub', 'sup', 'kbd', 'mark', 'small', 'ins', 'abbr', 'samp', 'var', 'cite', 'q'])
const MARKS: Readonly<Record<string, string>> = {
  ...{ strong: '**', b: '**', em: '*', i: '*', del: '~~', s: '~~', strike: '~~' },
}

const escaped = (text: string): string =>
  text.replace(/[\\`*_[\]<>~|]|&(?=#?\w{1,31};)/g, (character) => `\\${character}`)

/** Text with its marks, on as few lines as it had breaks. */
export const toInline = (nodes: readonly HtmlNode[]): string =>
  nodes
    .map(inlineOf)
    .join('')
    .replace(/[ \t]*\\\n[ \t]*/g, '\\\n')

function inlineOf(node: HtmlNode): string {
  if (typeof node === 'string') return escaped(node.replace(/[\s\u00a0]+/g, ' '))
  const { name, attributes, children } = node
  if (name === 'br') return '\\\n'
  if (name === 'img') return imageOf(node)
  if (name === 'code' || name === 'tt') return codeOf(textOf(node))
  if (name === 'a') return linkOf(node)
  if (name === 'iframe' || name === 'video' || name === 'audio' || name === 'embed') return mediaOf(node)
  const inner = toInline(children)
  const mark = MARKS[name]
  if (mark !== undefined) return marked(inner, mark)
  if (KEPT.has(name) && inner.trim() !== '') return `<${name}>${inner}</${name}>`
  return attributes.style?.includes('font-weight: bold') === true ? marked(inner, '**') : inner
}

/** Marks have no effect beside a space. */
function marked(inner: string, mark: string): string {
  const [, before = '', text = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(inner) ?? []
  if (text === '' || text.startsWith(mark) || text.includes('\n\n')) return inner
  return `${before}${mark}${text}${mark}${after}`
}

function codeOf(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat === '') return ''
  const fence = '`'.repeat(1 + Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length)))
  return flat.startsWith('`') || flat.endsWith('`') ? `${fence} ${flat} ${fence}` : `${fence}${flat}${fence}`
}

const targetOf = (address: string): string =>
  /[\s()<>]/.test(address) ? `<${address.trim().replace(/[<>\n]/g, encodeURIComponent)}>` : address

function linkOf({ attributes, children }: HtmlElement): string {
  const inner = toInline(children)
  const { href, id = attributes.name } = attributes
  const anchor = id === undefined || /["'<>&\s]/.test(id) ? '' : `<a id="${id}"></a>`
  if (href === undefined || href === '') return anchor + inner
  const [, before = '', text = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(inner) ?? []
  if (text === '') return anchor + inner
  return `${anchor}${before}[${text}](${targetOf(href)})${after}`
}

function imageOf({ attributes: { src, alt = '' } }: HtmlElement): string {
  return src === undefined || src === '' ? '' : `![${escaped(alt.replace(/\s+/g, ' ').trim())}](${targetOf(src)})`
}

/** The renderer makes links of them, and says so. */
function mediaOf(element: HtmlElement): string {
  const { name, attributes, children } = element
  const source = children.find((child) => typeof child !== 'string' && child.name === 'source') as
    | HtmlElement
    | undefined
  const src = attributes.src ?? source?.attributes.src
  if (src === undefined) return ''
  const address = src.startsWith('//') ? `https:${src}` : src
  return `<${name} ${html`src="${address}" title="${attributes.title ?? ''}"`.toString()}></${name}>`
}
