import { type ArticleAddress, articlePath, homePath } from '../../modules/knowledge/help-centre/index.ts'
import { type Html, html } from '../../platform/text/html.ts'
import type { Reading } from './reading.ts'
import { XML_DECLARATION } from './xml.ts'

/** With eleven languages, each naming all the others, so many stay well below the 50 MB and 50,000 that are allowed. */
export const SITEMAP_ARTICLES_MAX = 500

/** The parts of a list that is too long for one file. */
export function sitemapIndex({ centre, publicUrl }: Reading, articles: number): string {
  const parts = Array.from({ length: Math.ceil(articles / SITEMAP_ARTICLES_MAX) }, (_, index) => index + 1)
  return html`${XML_DECLARATION}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${parts.map((part) => html`<sitemap><loc>${publicUrl}${homePath(centre.publicSlug)}/sitemap-${part}.xml</loc></sitemap>\n`)}</sitemapindex>
`.toString()
}

/** Every article in every language that it has; the first part begins with the help centre itself. */
export function sitemap(
  { centre, publicUrl, languages }: Reading,
  articles: readonly ArticleAddress[],
  isFirst: boolean,
): string {
  const { publicSlug } = centre
  const at = (path: string) => `${publicUrl}${path}`
  const home = isFirst
    ? entries(
        languages.map((language) => ({ language, updatedAt: undefined })),
        (language) => at(homePath(publicSlug, language)),
      )
    : []
  return html`${XML_DECLARATION}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${home}${articles.map(({ slug, texts }) => entries(texts, (language) => at(articlePath(publicSlug, slug, language))))}</urlset>
`.toString()
}

/** Every one of them has to name all, itself among them. */
function entries(
  texts: readonly { language: string; updatedAt: string | undefined }[],
  addressIn: (language?: string) => string,
): Html[] {
  const alternates = html`${texts.map(({ language }) => alternate(language, addressIn(language)))}${alternate('x-default', addressIn())}`
  return texts.map(
    ({ language, updatedAt }) =>
      html`<url><loc>${addressIn(language)}</loc>${updatedAt !== undefined && html`<lastmod>${updatedAt}</lastmod>`}${alternates}</url>\n`,
  )
}

const alternate = (language: string, address: string): Html =>
  html`<xhtml:link rel="alternate" hreflang="${language}" href="${address}"/>`
