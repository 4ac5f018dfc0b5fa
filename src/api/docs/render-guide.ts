import { makeScrollable } from '../../platform/markdown/index.ts'
import { toPlainText } from '../../platform/markdown/plain-text.ts'
import type { Renderer } from '../../platform/markdown/renderer.ts'
import { type Html, raw } from '../../platform/text/html.ts'
import { type GuideFile, LINKED_FILES } from './guides.ts'
import { familyPath } from './reference/operations.ts'

/** A part of a guide, from one heading to the next. The first part has no heading. */
export interface Section {
  /** Empty for the first part. */
  id: string
  /** 2 for the main parts of the guide. */
  level: number
  heading: string
  text: string
}

export interface Guide {
  slug: string
  title: string
  html: string
  sections: Section[]
}

export interface RenderSettings {
  /** Where this installation is, for examples. */
  appUrl: string
  files: readonly GuideFile[]
  /** Addresses in the reference, by operation: `GET /me`. */
  operationLinks: ReadonlyMap<string, string>
}

/** The base of addresses that are compared and never requested. */
const ROOT = 'https://here.invalid/'

export function renderGuide(renderer: Renderer, file: GuideFile, markdown: string, settings: RenderSettings): Guide {
  const [, heading, text] = /^(?:<!--.*?-->\s*)?# ([^\n]+)\n(.*)$/s.exec(markdown) ?? []
  if (heading === undefined || text === undefined) throw new Error(`${file.path} must begin with a heading`)
  const rendered = renderer.toHtml(withAddress(text, settings.appUrl))
  const html = linkOperations(rewriteLinks(rendered, file, settings), settings.operationLinks)
  const shown = makeScrollable(html).replaceAll('<th></th>', EMPTY_CELL)
  return { slug: file.slug, title: file.title ?? heading, html: shown, sections: sectionsOf(html) }
}

/** Renders the descriptions of the reference. Many of them are the same. */
export function textRenderer(renderer: Renderer, links: RenderSettings['operationLinks']): (markdown: string) => Html {
  const rendered = new Map<string, Html>()
  return (markdown) => {
    const known = rendered.get(markdown) ?? raw(linkOperations(linkFamilies(renderer.toHtml(markdown)), links))
    rendered.set(markdown, known)
    return known
  }
}

/** In the OpenAPI document, families are linked as viewers name them. */
const linkFamilies = (html: string): string =>
  html.replace(/href="#tag\/([a-z-]+)"/g, (_, name: string) => `href="${familyPath(name)}"`)

/** Markdown makes a header of the first cell even if it is empty, and screen readers announce it. */
const EMPTY_CELL = '<td></td>'

/** Shows the address of this installation in examples. Outside of them, `http://localhost:8080` is the default of a setting. */
const withAddress = (markdown: string, appUrl: string): string =>
  markdown.replace(/^ *```.*?^ *```$/gms, (block) =>
    block.replaceAll('$WAYMARK_URL', appUrl).replaceAll('http://localhost:8080', appUrl),
  )

const LINK = /<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/|#)/i

/** Guides link to each other as files, so that the links also work in the repository. */
function rewriteLinks(html: string, { path }: GuideFile, { files }: RenderSettings): string {
  return html.replace(LINK, (link, href: string, content: string) => {
    if (ABSOLUTE.test(href)) return link
    const { pathname, hash } = new URL(href, ROOT + path)
    const linked = pathname.slice(1)
    const guide = files.find((file) => file.path === linked)
    const target = guide === undefined ? LINKED_FILES[linked] : `/docs/${guide.slug}`
    // Other files, such as the source, are not served.
    return target === undefined ? content : `<a href="${target}${hash.replace('#', '#h-')}">${content}</a>`
  })
}

const OPERATION = /<a [^>]*>.*?<\/a>|<pre.*?<\/pre>|<code>((?:GET|POST|PATCH|PUT|DELETE) (?:\/v1)?(\/[^<?]*))<\/code>/gs

/** Links every operation that a text names to the reference. */
const linkOperations = (html: string, links: ReadonlyMap<string, string>): string =>
  html.replace(OPERATION, (all, operation: string | undefined, path: string | undefined) => {
    const href = operation && links.get(`${operation.slice(0, operation.indexOf(' '))} ${path}`)
    return href ? `<a href="${href}">${all}</a>` : all
  })

const HEADING = /<h([2-6]) id="([^"]+)"[^>]*>(.*?)<\/h\1>/gs

function sectionsOf(html: string): Section[] {
  const headings = [...html.matchAll(HEADING)]
  const textBetween = (from: number, to: number | undefined) => toPlainText(html.slice(from, to))
  return [
    { id: '', level: 1, heading: '', text: textBetween(0, headings[0]?.index) },
    ...headings.map(({ 0: all, 1: level, 2: id = '', 3: heading = '', index }, at) => ({
      id,
      level: Number(level),
      heading: toPlainText(heading),
      text: textBetween(index + all.length, headings[at + 1]?.index),
    })),
  ]
}
