import { html } from '../text/html.ts'
import type { Callout } from './callouts.ts'
import { toPlainText } from './plain-text.ts'

/*
 * Pages that show a rendered text use these. Replacing by pattern is safe because in sanitised HTML a `<` always starts a tag,
 * and because attributes are in the order in which we write them.
 */

const HEADING = /<h([2-6]) id="([^"]*)"([^>]*)>(.*?)<\/h\1>/gs

export interface Heading {
  level: number
  id: string
  text: string
}

/** The headings that a link can lead to. */
export const headingsIn = (safe: string): Heading[] =>
  [...safe.matchAll(HEADING)].map(([, level, id = '', , content = '']) => ({
    level: Number(level),
    id,
    text: toPlainText(content),
  }))

/** Makes every heading a link to itself, unless it contains a link. */
export const linkHeadings = (safe: string): string =>
  safe.replace(HEADING, (all, level: string, id: string, attributes: string, content: string) =>
    /<a[ >]/.test(content)
      ? all
      : `<h${level} id="${id}"${attributes}><a class="place" href="#${id}">${content}</a></h${level}>`,
  )

/** Begins every callout with its name, in the language of the text. */
export const labelCallouts = (safe: string, labels: Readonly<Record<Callout, string>>): string =>
  safe.replace(
    /<blockquote class="callout ([a-z]+)"[^>]*>/g,
    (opening, kind: Callout) => `${opening}<p class="label">${html`${labels[kind]}`}</p>`,
  )

const LINK = /<a href="([^"]*)"([^>]*)/g

export const linksIn = (safe: string): string[] => [...safe.matchAll(LINK)].map(([, href = '']) => decode(href))

/** Replaces the targets of links. Null removes the link and keeps its text; undefined leaves it as it is. */
export const replaceLinks = (safe: string, replace: (href: string) => string | null | undefined): string =>
  safe.replace(LINK, (all, href: string, attributes: string) => {
    const target = replace(decode(href))
    if (target === undefined) return all
    // What `sanitise` adds to links to other sites.
    const others = attributes.replace(/ rel="[^"]*"/, '')
    return `<a${target === null ? '' : html` href="${target}"`}${others}`
  })

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

const decode = (attribute: string): string =>
  attribute.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? '')

const IMAGE = /<img src="([^"]*)"([^>]*?)( \/)?>/g

/** Adds the size of images, so that a page does not move while they load. Keeps the width or height that a writer chose. */
export const sizeImages = (
  safe: string,
  sizeOf: (src: string) => { width: number; height: number } | undefined,
): string =>
  safe.replace(IMAGE, (all, src: string, attributes: string, end = '') => {
    const size = sizeOf(src)
    const width = / width="(\d+)"/.exec(attributes)?.[1]
    const height = / height="(\d+)"/.exec(attributes)?.[1]
    if (size === undefined || (width !== undefined && height !== undefined)) return all
    const ratio =
      width !== undefined ? Number(width) / size.width : height !== undefined ? Number(height) / size.height : 1
    const chosen = attributes.replace(/ (?:width|height)="\d+"/, '')
    const added = ` width="${width ?? Math.round(size.width * ratio)}" height="${height ?? Math.round(size.height * ratio)}"`
    return `<img src="${src}"${added}${chosen}${end}>`
  })
