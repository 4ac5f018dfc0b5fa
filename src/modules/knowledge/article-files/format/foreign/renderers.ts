import { calloutKind } from '../../../../../platform/markdown/index.ts'
import { html } from '../../../../../platform/text/html.ts'
import { indented, isBlank, type Line, trimBlock } from './lines.ts'
import type { Element } from './tokens.ts'

export interface Rendering {
  element: Element
  inner: readonly Line[]
  /** Of the element in the file. */
  number: number
  warn: (message: string) => void
}

/** Returns the lines that replace a directive. */
export type Render = (rendering: Rendering) => Line[]

export const attribute = ({ attributes }: Element, ...names: string[]): string =>
  names.map((name) => attributes.get(name)).find((value) => value !== undefined && value !== '') ?? ''

/** On one line, without what would be Markdown or HTML. */
const plain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[[\]{}<>]/g, '')
    .trim()

export const line = (text: string, number: number): Line => ({ text, number })
const BLANK = (number: number): Line => line('', number)

export const content: Render = ({ inner }) => trimBlock(inner)
export const nothing: Render = () => []

export const callout =
  (kindOf: (element: Element) => string, ...titles: string[]): Render =>
  ({ element, inner, number }) => {
    const kind = calloutKind(kindOf(element)) ?? 'note'
    const title = plain(attribute(element, ...titles))
    return [line(`:::${kind} ${title}`.trimEnd(), number), ...trimBlock(inner), line(':::', number)]
  }

/** Tabs are shown below each other: readers can search and print them. */
export const titled =
  (...names: string[]): Render =>
  ({ element, inner, number }) => {
    const title = plain(attribute(element, ...names))
    return title === '' ? trimBlock(inner) : [line(`#### ${title}`, number), BLANK(number), ...trimBlock(inner)]
  }

export const details =
  (...names: string[]): Render =>
  ({ element, inner, number }) => {
    const title = plain(attribute(element, ...names) || element.title || 'Details')
    const summary = html`<summary>${title}</summary>`.toString()
    const opening = [line('<details>', number), line(summary, number), BLANK(number)]
    return [...opening, ...trimBlock(inner), BLANK(number), line('</details>', number)]
  }

function item(marker: string, first: string, inner: readonly Line[], number: number): Line[] {
  const [opening, ...rest] = first === '' ? trimBlock(inner) : [line(first, number), BLANK(number), ...trimBlock(inner)]
  const lines = [
    line(`${marker} ${opening?.text ?? ''}`, opening?.number ?? number),
    ...indented(rest, ' '.repeat(marker.length + 1)),
  ]
  return lines.slice(0, lines.findLastIndex((each) => !isBlank(each)) + 1)
}

/** All steps have the same number in the text: lists count by themselves. */
export const step: Render = ({ element, inner, number }) => {
  const title = plain(attribute(element, 'title'))
  return item('1.', title === '' ? '' : `**${title}**`, inner, number)
}

export const card: Render = ({ element, inner, number }) => {
  const title = plain(attribute(element, 'title', 'name', 'repo')) || plain(attribute(element, 'href', 'url'))
  const href = attribute(element, 'href', 'url', 'link', 'to')
  if (title === '') return trimBlock(inner)
  return item('-', href === '' ? `**${title}**` : toLink(title, href), inner, number)
}

const toLink = (text: string, target: string): string =>
  /[\s()<>]/.test(target) ? `[${text}](<${target.replace(/[<>\n]/g, '')}>)` : `[${text}](${target})`

export const field: Render = ({ element, inner, number }) => {
  const name = plain(attribute(element, 'name', 'path', 'query', 'body', 'header', 'cookie'))
  const notes = [attribute(element, 'type'), element.attributes.has('required') ? 'required' : ''].filter(
    (each) => each !== '',
  )
  const described = notes.length === 0 ? '' : ` (${plain(notes.join(', '))})`
  return name === '' ? trimBlock(inner) : item('-', `\`${name.replaceAll('`', '')}\`${described}`, inner, number)
}

/** A link to what is shown in place elsewhere. */
export const reference =
  (...names: string[]): Render =>
  ({ element, inner, number }) => {
    const target = attribute(element, ...names)
    const caption = trimBlock(inner)
    if (target === '') return caption
    const [first] = caption
    const text = caption.length === 1 && first !== undefined && !/[[\]]/.test(first.text) ? plain(first.text) : ''
    const fileName = target.split('/').at(-1) ?? target
    const shown = text || plain(/^https?:/.test(target) ? target : fileName)
    const isLink = caption.some((each) => each.text.includes(']('))
    return isLink ? caption : [line(toLink(shown, target), number), ...(text === '' ? caption : [])]
  }

export const image: Render = ({ element, inner, number }) => {
  const source = attribute(element, 'src', 'img', 'source', 'url', 'light')
  if (source === '') return trimBlock(inner)
  return [line(`!${toLink(plain(attribute(element, 'alt', 'caption', 'title')), source)}`, number)]
}

const inItalics = (text: string): string => `*${text.replaceAll('*', '')}*`

export const captioned: Render = ({ element, inner, number }) => {
  const caption = plain(attribute(element, 'caption'))
  return [...trimBlock(inner), ...(caption === '' ? [] : [BLANK(number), line(inItalics(caption), number)])]
}

/** Captions of one line are in italics, like other captions. */
export const emphasised: Render = ({ inner }) => {
  const lines = trimBlock(inner)
  return lines.length === 1 ? lines.map((each) => ({ ...each, text: inItalics(each.text) })) : lines
}

export const fileName: Render = ({ element, inner, number }) => {
  const title = plain(attribute(element, 'title'))
  return [...(title === '' ? [] : [line(`**${title}**`, number), BLANK(number)]), ...trimBlock(inner)]
}

const CODE_WITH_TITLE = /^[ \t]*(?:`{3,}|~{3,})[ \t]*[\w+#.-]+[ \t]+([^={}`]+?)(?:[ \t]+\w+=.*|[ \t]*\{.*)?$/

/** Codes in a group have their titles after the language. */
export const codeGroup: Render = ({ inner }) =>
  trimBlock(inner).flatMap((each) => {
    const title = CODE_WITH_TITLE.exec(each.text)?.[1]?.trim()
    return title === undefined || title === ''
      ? [each]
      : [BLANK(each.number), line(`**${plain(title)}**`, each.number), BLANK(each.number), each]
  })

export const highlighted: Render = ({ element, inner, number }) => [
  line(`\`\`\`${/^[\w+#-]+/.exec(attribute(element, 'language') || element.title)?.[0] ?? ''}`, number),
  ...trimBlock(inner),
  line('```', number),
]

export const link: Render = ({ element, inner, number }) => {
  const [first] = trimBlock(inner)
  const target = attribute(element, 'to', 'href', 'url')
  return target === '' ? trimBlock(inner) : [line(toLink(first?.text ?? target, target), number)]
}

export const leftOut =
  (what: string): Render =>
  ({ inner, warn }) => {
    warn(`${what} not imported.`)
    return trimBlock(inner)
  }

export const heading: Render = ({ element, inner, number }) => {
  const title = plain(attribute(element, 'label', 'date', 'title'))
  return title === '' ? trimBlock(inner) : [line(`## ${title}`, number), BLANK(number), ...trimBlock(inner)]
}

export const listed =
  (...names: string[]): Render =>
  ({ element, inner, number }) =>
    item('-', plain(attribute(element, ...names)), inner, number)
