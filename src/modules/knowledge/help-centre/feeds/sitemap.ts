import { type Html, html } from '../../../../platform/text/html.ts'
import { type ArticleAddress, articlePath, homePath } from '../../public-articles/index.ts'
import type { PageContext } from '../page-context.ts'
import { XML_DECLARATION } from './xml.ts'

/** Keeps a file well below the allowed 50 MB and 50,000 URLs: each of 16 languages links to all the others. */
export const SITEMAP_ARTICLES_MAX = 500

/** Lists the parts of a sitemap that is too long for one file. */
export function sitemapIndex({ canonicalAt }: PageContext, articles: number): string {
  const parts = Array.from({ length: Math.ceil(articles / SITEMAP_ARTICLES_MAX) }, (_, index) => index + 1)
  return html`${XML_DECLARATION}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${parts.map((part) => html`<sitemap><loc>${canonicalAt}/sitemap-${part}.xml</loc></sitemap>\n`)}</sitemapindex>
`.toString()
}

/** Lists every article in each of its languages. The first part starts with the home page. */
export function sitemap(
  { canonicalAt, languages }: PageContext,
  articles: readonly ArticleAddress[],
  isFirst: boolean,
): string {
  const home = isFirst
    ? entries(
        languages.map((language) => ({ language, updatedAt: undefined })),
        (language) => homePath(canonicalAt, language),
      )
    : []
  return html`${XML_DECLARATION}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${home}${articles.map(({ slug, texts }) => entries(texts, (language) => articlePath(canonicalAt, slug, language)))}</urlset>
`.toString()
}

/** Every entry has to link to all alternates, including itself. */
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
