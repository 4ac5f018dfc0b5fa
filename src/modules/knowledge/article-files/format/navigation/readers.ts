import { parseDocument } from 'yaml'
import { readLiteral } from './literal.ts'

/** An entry of the menu of another tool: a page, a group, or both. */
export interface MenuItem {
  title: string
  /** The file, as the tool names it. */
  target?: string
  items: MenuItem[]
  /** Further keys of its category. */
  details?: object
}

/** What an order file says. */
export interface Menu {
  items: MenuItem[]
  /** Where its files are, relative to the order file. */
  root: string
}

/** Undefined if the file says nothing about the order. */
type Read = (text: string) => Menu | undefined

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const toMenu = (items: MenuItem[], root = ''): Menu | undefined => (items.length === 0 ? undefined : { items, root })

const HEADING = /^#{2,6}[ \t]+(.+?)[ \t]*(?:<a [^>]*>.*<\/a>)?[ \t]*$/
const ENTRY = /^([ \t]*)[-*+][ \t]+(?:\[((?:[^\]\\]|\\.)*)\]\(<?([^)>]*?)>?(?:[ \t]+"[^"]*")?\)|(.+))[ \t]*$/

/** `SUMMARY.md` of GitBook: a nested list of links, in parts. */
export const readSummary: Read = (text) => {
  const top: MenuItem[] = []
  let part = top
  let open: { width: number; item: MenuItem }[] = []
  for (const line of text.split(/\r?\n/)) {
    const [, heading] = HEADING.exec(line) ?? []
    if (heading !== undefined) {
      const group = { title: heading.trim(), items: [] }
      top.push(group)
      part = group.items
      open = []
    }
    const [all, indent = '', title = '', target = '', bare = ''] = ENTRY.exec(line) ?? []
    if (all === undefined) continue
    const width = indent.replaceAll('\t', '    ').length
    open = open.filter((each) => each.width < width)
    const item: MenuItem = { title: title.replace(/\\(.)/g, '$1') || bare, items: [] }
    if (target !== '') item.target = target
    ;(open.at(-1)?.item.items ?? part).push(item)
    open.push({ width, item })
  }
  return toMenu(top)
}

/** `nav` of `mkdocs.yml`. Tags that name programs are not resolved. */
export const readMkDocsMenu: Read = (text) => {
  const settings: unknown = parseDocument(text, { schema: 'failsafe', logLevel: 'silent', uniqueKeys: false }).toJS()
  if (!isObject(settings)) return undefined
  const toItems = (value: unknown): MenuItem[] => {
    if (typeof value === 'string') return [{ title: '', target: value, items: [] }]
    if (Array.isArray(value)) return value.flatMap(toItems)
    if (!isObject(value)) return []
    return Object.entries(value).map(([title, inner]) =>
      typeof inner === 'string' ? { title, target: inner, items: [] } : { title, items: toItems(inner) },
    )
  }
  return toMenu(toItems(settings.nav), toText(settings.docs_dir) || 'docs')
}

const NAMES = ['group', 'tab', 'anchor', 'dropdown', 'product', 'version', 'language', 'menu', 'item']
const CHILDREN = [
  'pages',
  'groups',
  'tabs',
  'anchors',
  'dropdowns',
  'products',
  'versions',
  'languages',
  'menu',
  'items',
]

/** `docs.json` and `mint.json` of Mintlify. */
export const readMintlifyMenu: Read = (text) => {
  const settings: unknown = JSON.parse(text)
  const navigation = isObject(settings) ? settings.navigation : undefined
  let languages = 0
  const toItems = (value: unknown): MenuItem[] => {
    if (typeof value === 'string') return [{ title: '', target: value, items: [] }]
    if (Array.isArray(value)) return value.flatMap(toItems)
    if (!isObject(value)) return []
    // The menus of other languages name translations.
    if (typeof value.language === 'string' && ++languages > 1) return []
    const items = CHILDREN.flatMap((name) => (Array.isArray(value[name]) ? toItems(value[name]) : []))
    const title = NAMES.filter((name) => name !== 'language')
      .map((name) => toText(value[name]))
      .find((each) => each !== '')
    if (title === undefined) return items
    const root = toText(value.root)
    return items.length === 0 && root === '' ? [] : [{ title, ...(root !== '' && { target: root }), items }]
  }
  const items = toItems(navigation)
  return toMenu(items)
}

const EXPORTED = /(?:module\.exports\s*=|export\s+default|\bsidebars?\b[^=\n]*=)\s*(?=[{[])/g

/** `sidebars.js` of Docusaurus, of which only literals are read: it is a program, and is not run. */
export const readSidebars: Read = (text) => {
  const json = text.trimStart().startsWith('{') ? [{ index: 0, 0: '' }] : [...text.matchAll(EXPORTED)]
  for (const { index, 0: all } of json) {
    const sidebars = readLiteral(text, index + all.length)
    if (!isObject(sidebars)) continue
    // Their own names are not shown.
    const items = Object.values(sidebars).flatMap(toSidebarItems)
    if (items.length > 0) return toMenu(items, 'docs')
  }
  return undefined
}

function toSidebarItems(value: unknown): MenuItem[] {
  if (typeof value === 'string') return [{ title: '', target: value, items: [] }]
  if (Array.isArray(value)) return value.flatMap(toSidebarItems)
  if (!isObject(value)) return []
  const { type, id, label, items, link } = value
  if (type === 'doc' || type === 'ref') return [{ title: toText(label), target: toText(id), items: [] }]
  if (type === 'category') {
    const target = isObject(link) ? toText(link.id) : ''
    return [{ title: toText(label), ...(target !== '' && { target }), items: toSidebarItems(items) }]
  }
  if (type !== undefined) return []
  return Object.entries(value).map(([title, inner]) => ({ title, items: toSidebarItems(inner) }))
}
