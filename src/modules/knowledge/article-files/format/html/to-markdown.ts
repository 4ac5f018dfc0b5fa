import { calloutKind } from '../../../../../platform/markdown/index.ts'
import { toInline } from './inline.ts'
import { type HtmlElement, type HtmlNode, readHtml, textOf } from './tree.ts'

/** A block is a list of lines. */
type Block = string[]

const BLOCKS = new Set([
  ...[
    'address',
    'article',
    'aside',
    'blockquote',
    'body',
    'center',
    'dd',
    'details',
    'div',
    'dl',
    'dt',
    'figcaption',
    'figure',
  ],
  ...[
    'footer',
    'form',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'header',
    'hr',
    'html',
    'li',
    'main',
    'nav',
    'ol',
    'p',
    'pre',
  ],
  ...['section', 'summary', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'ul', 'iframe', 'video'],
])
const CALLOUT_CLASS = /(?:^|[\s_-])(callout|note|info|tip|hint|important|warning|caution|danger|alert)(?=$|[\s_-])/i

const isElement = (node: HtmlNode): node is HtmlElement => typeof node !== 'string'
const isBlock = (node: HtmlNode): boolean =>
  isElement(node) && (BLOCKS.has(node.name) || (node.name !== 'a' && node.children.some(isBlock)))
const elementsIn = ({ children }: HtmlElement, ...names: string[]): HtmlElement[] =>
  children.filter(isElement).filter(({ name }) => names.includes(name))

/** Writes HTML as our Markdown. */
export const htmlToMarkdown = (html: string): string => markdownOf(readHtml(html))

const markdownOf = (element: HtmlElement): string =>
  blocksIn(element.children)
    .map((block) => block.join('\n'))
    .join('\n\n')
    .replace(/\n{3,}/g, '\n\n')

function blocksIn(nodes: readonly HtmlNode[]): Block[] {
  const blocks: Block[] = []
  let run: HtmlNode[] = []
  const endRun = () => {
    const text = paragraphOf(run)
    if (text.length > 0) blocks.push(text)
    run = []
  }
  for (const node of nodes) {
    if (!isBlock(node)) run.push(node)
    else {
      endRun()
      for (const block of blocksOf(node as HtmlElement)) if (block.length > 0) blocks.push(block)
    }
  }
  endRun()
  return blocks
}

/** Escapes what would begin another block. */
function paragraphOf(nodes: readonly HtmlNode[]): Block {
  const text = toInline(nodes).replace(/^(?:\s|\\\n)+|(?:\s|\\\n)+$/g, '')
  if (text === '' || text === '\\') return []
  return text
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/^(?:#{1,6}(?=\s)|[-+=](?=\s|$)|:{3,})|^(\d{1,9})(?=[.)]\s)/, (all, number) =>
          number === undefined ? `\\${all}` : `${number}\\`,
        ),
    )
}

function blocksOf(element: HtmlElement): Block[] {
  const { name, attributes, children } = element
  if (/^h[1-6]$/.test(name)) return [headingOf(element)]
  const kind = calloutOf(element)
  if (kind !== undefined) return calloutBlock(kind, blocksIn(children))
  switch (name) {
    case 'hr':
      return [['---']]
    case 'pre':
      return [codeBlock(element)]
    case 'ul':
    case 'ol':
      return [listOf(element)]
    case 'blockquote':
      return [joined(blocksIn(children)).map((line) => `> ${line}`.trimEnd())]
    case 'table':
      return tableOf(element)
    case 'details':
      return detailsOf(element)
    case 'dt':
      return [[`**${paragraphOf(children).join(' ').replaceAll('**', '')}**`]]
    case 'figcaption':
      return [paragraphOf(children).map((line) => `*${line.replaceAll('*', '')}*`)]
    case 'iframe':
    case 'video':
      return [[toInline([element])]]
    case 'nav':
    case 'form':
      return attributes.class === undefined ? [] : blocksIn(children)
    default:
      return blocksIn(children)
  }
}

const joined = (blocks: readonly Block[]): Block => blocks.flatMap((block, n) => (n === 0 ? block : ['', ...block]))

function headingOf({ name, attributes, children }: HtmlElement): Block {
  const text = toInline(children).replace(/\\\n/g, ' ').replace(/\*\*/g, '').trim()
  if (text === '') return []
  const id = /^[\w-]+$/.test(attributes.id ?? '') ? ` {#${attributes.id}}` : ''
  return [`${'#'.repeat(Number(name[1]))} ${text}${id}`]
}

function calloutOf({ name, attributes }: HtmlElement): string | undefined {
  if (name !== 'div' && name !== 'aside' && name !== 'p' && name !== 'section') return undefined
  const words = (attributes.class ?? '').split(/[\s_-]+/).map((word) => word.toLowerCase())
  const isCallout = CALLOUT_CLASS.test(attributes.class ?? '')
  return isCallout ? (words.map(calloutKind).find((kind) => kind !== undefined) ?? 'note') : undefined
}

function calloutBlock(kind: string, inner: readonly Block[]): Block[] {
  return inner.length === 0 ? [] : [[`:::${kind}`, ...joined(inner), ':::']]
}

function codeBlock(element: HtmlElement): Block {
  const code = elementsIn(element, 'code')[0]
  const language = /(?:^|\s)(?:language|lang|brush:)-?\s*([\w+#-]+)/.exec(
    `${element.attributes.class ?? ''} ${code?.attributes.class ?? ''}`,
  )?.[1]
  const withBreaks = (node: HtmlNode): string =>
    typeof node === 'string' ? node : node.name === 'br' ? '\n' : node.children.map(withBreaks).join('')
  const text = withBreaks(element).replace(/^\n+|\s+$/g, '')
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)))
  return text === '' ? [] : [`${fence}${language ?? ''}`, ...text.split('\n'), fence]
}

function listOf({ name, attributes, children }: HtmlElement): Block {
  const start = Number(attributes.start ?? 1)
  let number = Number.isInteger(start) && start >= 0 ? start : 1
  const lines: Block = []
  for (const child of children) {
    if (!isElement(child)) continue
    // Some editors put lists into lists, without an item around them.
    const isItem = child.name === 'li'
    const marker = name === 'ol' ? `${number}. ` : '- '
    if (isItem) number++
    const blocks = isItem ? blocksIn(child.children) : blocksOf(child)
    const isTight = blocks.every((block, n) => n === 0 || /^(?:- |\d+\. )/.test(block[0] ?? ''))
    const inner = isTight ? blocks.flat() : joined(blocks)
    for (const [n, line] of inner.entries()) {
      const isFirst = n === 0 && isItem
      lines.push(line === '' ? '' : `${isFirst ? marker : ' '.repeat(marker.length)}${line}`)
    }
  }
  return lines
}

function detailsOf(element: HtmlElement): Block[] {
  const summary = elementsIn(element, 'summary')[0]
  const title = toInline(summary?.children ?? ['Details'])
    .replace(/\s+/g, ' ')
    .trim()
  const inner = blocksIn(element.children.filter((child) => child !== summary))
  return [['<details>', `<summary>${title}</summary>`], ...inner, ['</details>']]
}

/** A table in Markdown has cells of one line. Layout tables of one column, and cells with blocks in them, become text. */
function tableOf(element: HtmlElement): Block[] {
  const sections = [element, ...elementsIn(element, 'thead', 'tbody', 'tfoot')]
  const rows = sections.flatMap((section) => elementsIn(section, 'tr')).map((row) => elementsIn(row, 'td', 'th'))
  const columns = Math.max(0, ...rows.map((cells) => cells.length))
  if (columns === 0) return []
  if (columns === 1) return rows.flatMap((cells) => cells.flatMap(({ children }) => blocksIn(children)))
  const caption = elementsIn(element, 'caption').map(({ children }) => paragraphOf(children))
  const toRow = (cells: readonly HtmlElement[]) =>
    `| ${Array.from({ length: columns }, (_, n) => (cells[n] === undefined ? '' : cellOf(cells[n]))).join(' | ')} |`
  const [head, ...body] = rows
  return [...caption, [toRow(head ?? []), `|${' --- |'.repeat(columns)}`, ...body.map(toRow)]]
}

const cellOf = ({ children }: HtmlElement): string =>
  blocksIn(children)
    .flat()
    .filter((line) => line !== '' && line !== ':::' && !/^:::\w+$/.test(line))
    .map((line) => line.replace(/\\$/, '').replace(/^```\w*$/, ''))
    .filter((line) => line !== '')
    .join('<br>')
    .replace(/(?<!\\)\|/g, '\\|')

/** The title of a page of HTML, and what it is about. */
export function readPage(html: string): { title: string; markdown: string } {
  const root = readHtml(html)
  const find = (name: string) => {
    const search = (node: HtmlNode): HtmlElement | undefined => {
      if (!isElement(node)) return undefined
      if (node.name === name) return node
      for (const child of node.children) {
        const found = search(child)
        if (found !== undefined) return found
      }
      return undefined
    }
    return search(root)
  }
  const heading = find('h1')
  const title = heading === undefined ? (/<title[^>]*>([^<]*)/i.exec(html)?.[1] ?? '') : textOf(heading)
  const body = find('article') ?? find('main') ?? find('body') ?? root
  return { title: title.replace(/\s+/g, ' ').trim(), markdown: markdownOf(body) }
}
