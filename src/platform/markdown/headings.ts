import { toPlainText } from './plain-text.ts'
import { ID_PREFIX } from './sanitise.ts'

/** Matches an anchor as `sanitise` writes it. */
const ANCHOR_ID = new RegExp(`(<a(?: [^>]*)?) id="${ID_PREFIX}([^"]*)"`, 'g')
/** Matches the id that a heading names explicitly. */
const LEADING_ANCHOR = new RegExp(`^<a id="${ID_PREFIX}([^"]*)"></a>`)

/**
 * Adjusts heading levels, adds ids, and points fragment links to them. Only for output of `sanitise`: there `<` always
 * starts a tag, and every heading has an end tag.
 */
export function rewriteHeadings(html: string): string {
  const slugs = new Map<string, number>()
  return prefixFragmentLinks(addIds(shiftLevels(dropRepeatedAnchors(html, slugs)), slugs), slugs)
}

/** Anchors get their ids before headings, whose ids are only made of their texts. */
const dropRepeatedAnchors = (html: string, slugs: Map<string, number>): string =>
  html.replace(ANCHOR_ID, (all, before: string, id: string) => {
    if (slugs.has(id)) return before
    slugs.set(id, 0)
    return all
  })

/** The page title is the h1, so the highest level in the text becomes h2, and the others shift with it. */
function shiftLevels(html: string): string {
  let highest = 6
  for (const [, level] of html.matchAll(/<h([1-6])[ >]/g)) highest = Math.min(highest, Number(level))
  return html.replace(/<(\/?)h([1-6])(?=[ >])/g, (_, end: string, level: string) => {
    return `<${end}h${Math.min(Number(level) - highest + 2, 6)}`
  })
}

function addIds(html: string, slugs: Map<string, number>): string {
  return html.replace(/<h([2-6])([^>]*)>(.*?)(?=<\/h\1>)/gs, (all, level, attributes, content) => {
    const [anchor, id] = LEADING_ANCHOR.exec(content) ?? []
    if (anchor !== undefined) return `<h${level} id="${ID_PREFIX}${id}"${attributes}>${content.slice(anchor.length)}`
    const slug = slugOf(toPlainText(content))
    return slug === '' ? all : `<h${level} id="${ID_PREFIX}${take(slug, slugs)}"${attributes}>${content}`
  })
}

/** Follows GitHub's rule, which writers know: `## How to use it?` is `#how-to-use-it`. */
const slugOf = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')

/** Stores the last number of each slug: counting from 1 every time is slow for many headings of the same name. */
function take(slug: string, slugs: Map<string, number>): string {
  let number = slugs.get(slug) ?? 0
  let free = slug
  while (slugs.has(free)) free = `${slug}-${++number}`
  slugs.set(slug, number)
  slugs.set(free, slugs.get(free) ?? 0)
  return free
}

/** Writers do not know about the prefix, so their links come without it. */
function prefixFragmentLinks(html: string, slugs: ReadonlyMap<string, number>): string {
  return html.replace(/<a href="#([^"]*)"/g, (all, fragment: string) =>
    slugs.has(decode(fragment)) ? `<a href="#${ID_PREFIX}${fragment}"` : all,
  )
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
