import { LIGHT, signpostIcon } from '../../../../platform/look/index.ts'
import { type Html, html, raw } from '../../../../platform/text/html.ts'
import { type Centre, categoryPath, homePath } from '../../public-articles/index.ts'
import { canonicalLanguage, type PageContext } from '../page-context.ts'
import type { CentreView } from './view.ts'

/** The logo, or a signpost in the accent colour. */
export function favicon(centre: Centre | undefined): Html {
  const href = centre?.logoUrl ?? signpostIcon(centre?.brand.primary_color ?? LIGHT.sign)
  return html`<link rel="icon" href="${href}" referrerpolicy="no-referrer">`
}

/** Open Graph, for programs that show a preview of a link. */
export function preview(
  { centre, about }: PageContext,
  { title, description, seo, image, isArticle }: CentreView,
): Html | false {
  if (seo === undefined) return false
  const picture = image ?? centre.logoUrl
  const properties = {
    title: title ?? about.name,
    type: isArticle ? 'article' : 'website',
    url: seo.canonical,
    site_name: about.name,
    description,
    image: picture,
  }
  return html`${Object.entries(properties).map(
    ([name, value]) => value && html`<meta property="og:${name}" content="${value}">\n`,
  )}`
}

/** The breadcrumb for search engines (schema.org). A data block: browsers do not run it, and the policy allows no script. */
export function breadcrumbData(context: PageContext, { title, seo, trail }: CentreView): Html | false {
  if (seo === undefined || trail === undefined || title === undefined) return false
  const { texts, canonicalAt } = context
  const language = canonicalLanguage(context)
  const steps = [
    { name: texts.home, item: homePath(canonicalAt, language) },
    ...trail.map(({ name, slug }) => ({ name, item: categoryPath(canonicalAt, slug, language) })),
    { name: title, item: seo.canonical },
  ]
  const data = {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, n) => ({ '@type': 'ListItem', position: n + 1, ...step })),
  }
  return html`<script type="application/ld+json">${raw(toInertJson(data))}</script>\n`
}

/** JSON whose texts have no character that means something in HTML. */
const toInertJson = (data: object): string =>
  JSON.stringify(data)
    .replace(/\\[\\"]/g, (pair) => (pair === '\\"' ? '\\u0022' : pair))
    .replace(/[<>&']/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
