import type { Heading } from '../../../../platform/markdown/index.ts'
import { directionOf } from '../../../../platform/text/direction.ts'
import { fill } from '../../../../platform/text/fill.ts'
import { html, raw } from '../../../../platform/text/html.ts'
import { textDirection } from '../../../../platform/text/text-language.ts'
import { articlePath, type Category, type PublicArticleItem } from '../../public-articles/index.ts'
import type { ArticleContent } from '../article-content.ts'
import { formatDate, languageName } from '../formatting.ts'
import type { PageContext } from '../page-context.ts'
import type { Rendered } from '../rendered-texts.ts'
import { crumbsInto } from './category.ts'
import { feedbackForm } from './feedback.ts'
import { languageLinks } from './layout.ts'
import { articleList, breadcrumb } from './lists.ts'
import type { CentreView, ShownArticle } from './view.ts'

interface ArticleData {
  category: Category | undefined
  content: Rendered & ArticleContent
  related: readonly PublicArticleItem[]
}

/**
 * Put the rendered content only inside elements that it cannot contain itself, or it could close them (`Markdown.toHtml`).
 */
export function articleView(
  context: PageContext,
  shown: ShownArticle,
  { category, content, related }: ArticleData,
): CentreView {
  const { texts, language, interfaceLanguage, at, canonicalAt } = context
  const { article, text } = shown
  const day = formatDate(text.updatedAt, interfaceLanguage)
  const main = html`<main class="narrow" id="content" tabindex="-1">
${breadcrumb(context, category === undefined ? [] : crumbsInto(context, category))}
${
  text.language !== language &&
  html`<p class="note">${fill(texts.notTranslated, {
    wanted: languageName(language, interfaceLanguage),
    shown: languageName(text.language, interfaceLanguage),
  })}</p>`
}
<article class="prose" lang="${text.language}" dir="${textDirection(text.language)}">
<h1>${text.title}</h1>
<p class="meta"><time datetime="${text.updatedAt}" lang="${interfaceLanguage}" dir="${directionOf(interfaceLanguage)}">${fill(texts.updatedOn, { date: day })}</time></p>
${contentsList(context, content.contents)}
${raw(content.html)}
</article>
${feedbackForm(context, article.slug, text.language)}
${related.length > 0 && html`<section class="related"><h2>${texts.relatedArticles}</h2>${articleList(context, related)}</section>`}
</main>`
  return {
    title: text.title,
    description: content.excerpt,
    main,
    isArticle: true,
    trail: category === undefined ? [] : [...category.ancestors, category],
    image: content.image,
    header: 'search',
    seo: {
      canonical: articlePath(canonicalAt, article.slug, text.language),
      alternates: article.languages.map((other) => ({
        language: other,
        url: articlePath(canonicalAt, article.slug, other),
      })),
      xDefault: articlePath(canonicalAt, article.slug),
    },
    languageLinks: languageLinks(context, (other) => articlePath(at, article.slug, other)),
  }
}

/** The page title is the h1, so the headings are on the second and third level. */
const contentsList = ({ texts, interfaceLanguage }: PageContext, contents: readonly Heading[]) =>
  contents.length > 0 &&
  html`<nav class="contents" aria-labelledby="contents"><p id="contents" lang="${interfaceLanguage}">${texts.contents}</p>
<ul>${contents.map(
    ({ level, id, text }) => html`<li${level > 2 && html` class="deep"`}><a href="#${id}">${text}</a></li>`,
  )}</ul></nav>`
