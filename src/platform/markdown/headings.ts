import { wordsOf } from './words.ts'

/** A name of its own, so that no heading can take the place of something that scripts find by its name. */
const PREFIX = 'h-'

/** Only for what `sanitise` made: there `<` is always that of a tag, and every heading has its end. */
export function settleHeadings(html: string): string {
  const slugs = new Map<string, number>()
  return linkWithin(nameHeadings(moveBelowTitle(html), slugs), slugs)
}

/** The page has a title of its own, so what ranks highest in the text becomes h2, and the rest keeps its distance. */
function moveBelowTitle(html: string): string {
  let highest = 6
  for (const [, level] of html.matchAll(/<h([1-6])[ >]/g)) highest = Math.min(highest, Number(level))
  return html.replace(/<(\/?)h([1-6])(?=[ >])/g, (_, end: string, level: string) => {
    return `<${end}h${Math.min(Number(level) - highest + 2, 6)}`
  })
}

function nameHeadings(html: string, slugs: Map<string, number>): string {
  return html.replace(/<h([2-6])([^>]*)>(.*?)(?=<\/h\1>)/gs, (all, level, attributes, content) => {
    const slug = slugOf(wordsOf(content))
    return slug === '' ? all : `<h${level} id="${PREFIX}${take(slug, slugs)}"${attributes}>${content}`
  })
}

/** The rule that GitHub uses, because writers know it: `## How to use it?` is `#how-to-use-it`. */
const slugOf = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')

/** Remembers how far the numbers of a slug have come: counting from the start would take long for many of one name. */
function take(slug: string, slugs: Map<string, number>): string {
  let number = slugs.get(slug) ?? 0
  let free = slug
  while (slugs.has(free)) free = `${slug}-${++number}`
  slugs.set(slug, number)
  slugs.set(free, slugs.get(free) ?? 0)
  return free
}

/** Writers leave the prefix out, because they do not know of it. */
function linkWithin(html: string, slugs: ReadonlyMap<string, number>): string {
  return html.replace(/<a href="#([^"]*)"/g, (all, fragment: string) =>
    slugs.has(decode(fragment)) ? `<a href="#${PREFIX}${fragment}"` : all,
  )
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
