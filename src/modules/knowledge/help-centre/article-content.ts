import type { Db } from '../../../platform/db/index.ts'
import {
  type Heading,
  headingsIn,
  labelCallouts,
  linkHeadings,
  linksIn,
  replaceLinks,
} from '../../../platform/markdown/index.ts'
import { interfaceLanguageFor } from '../../../platform/text/interface-language.ts'
import {
  articlePath,
  centrePath,
  findLinkTargets,
  type LinkTarget,
  parseArticleLink,
} from '../public-articles/index.ts'
import type { PageContext } from './page-context.ts'
import { TEXTS } from './texts.ts'

/** A shorter text needs no list of its contents. */
const CONTENTS_HEADINGS_MIN = 3
const CONTENTS_LEVEL_MAX = 3

/** A rendered text as it is on a page. */
export interface ArticleContent {
  html: string
  /** Empty for a short text. */
  contents: Heading[]
}

/** Completes a rendered text by what depends on its page: the addresses of other articles, and the words of callouts. */
export async function completeContent(
  db: Db,
  context: PageContext,
  language: string,
  rendered: string,
): Promise<ArticleContent> {
  const textLanguage = interfaceLanguageFor(language) ?? context.interfaceLanguage
  const linked = await linkArticles(db, context, rendered)
  const headings = headingsIn(rendered).filter(({ level, text }) => level <= CONTENTS_LEVEL_MAX && text !== '')
  return {
    html: labelCallouts(linkHeadings(linked), TEXTS[textLanguage].callouts),
    contents: headings.length < CONTENTS_HEADINGS_MIN ? [] : headings,
  }
}

async function linkArticles(db: Db, context: PageContext, rendered: string): Promise<string> {
  const parse = (href: string) => parseArticleLink(withoutAddress(context, href))
  const slugs = linksIn(rendered).flatMap((href) => parse(href)?.slug ?? [])
  if (slugs.length === 0) return rendered
  const targets = await findLinkTargets(db, context.centre, slugs)
  return replaceLinks(rendered, (href) => {
    const link = parse(href)
    if (link === undefined) return undefined
    const target = targets.get(link.slug)
    // The address of a page that is not public stays as it is: it says what is missing.
    if (target === undefined) return href === withoutAddress(context, href) ? null : undefined
    return `${pathOf(context, target)}${toHeadingId(link.fragment)}`
  })
}

/** Public addresses of articles of this help centre, without what comes before the slug. */
function withoutAddress({ centre, at, canonicalAt }: PageContext, href: string): string {
  const own = centrePath(centre.publicSlug)
  for (const base of [canonicalAt, at, own]) {
    const [, slug] = href.startsWith(`${base}/`) ? (IN_CENTRE.exec(href.slice(base.length)) ?? []) : []
    if (slug !== undefined) return slug
  }
  return href
}

const IN_CENTRE = /^(?:\/[A-Za-z0-9-]{2,35})?\/articles\/([a-z0-9-]+(?:#.*)?)$/s

const pathOf = ({ to }: PageContext, { slug, publicSlug }: LinkTarget): string =>
  publicSlug === undefined ? to.article(slug) : articlePath(centrePath(publicSlug), slug)

/** The ids of headings have a prefix, which writers do not know. One who copied an address has it already. */
const toHeadingId = (fragment: string): string =>
  fragment.length < 2 || fragment.startsWith('#h-') ? fragment : `#h-${fragment.slice(1)}`
