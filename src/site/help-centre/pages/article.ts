import {
  type Article,
  type ArticleItem,
  type ArticleText,
  articlePath,
  type Category,
} from '../../../modules/knowledge/help-centre/index.ts'
import { html, raw } from '../../../platform/text/html.ts'
import { fill, formatDate, languageName } from '../formatting.ts'
import type { PageContext } from '../page-context.ts'
import type { Rendered } from '../rendered-texts.ts'
import { crumbsInto } from './category.ts'
import { feedbackForm } from './feedback.ts'
import type { View } from './layout.ts'
import { articleList, breadcrumb } from './lists.ts'

/** An article and the text that the visitor reads. */
export interface Shown {
  article: Article
  text: ArticleText
}

interface ArticleData {
  category: Category | undefined
  content: Rendered
  related: readonly ArticleItem[]
}

/**
 * `dir="auto"` takes the direction from the text, because its language does not always determine the script. Put the
 * rendered content only inside elements that it cannot contain itself, or it could close them (`Markdown.toHtml`).
 */
export function articleView(context: PageContext, shown: Shown, { category, content, related }: ArticleData): View {
  const { texts, language, at, canonicalAt } = context
  const { article, text } = shown
  const day = formatDate(text.updatedAt, language)
  const main = html`<main class="narrow" id="content" tabindex="-1">
${breadcrumb(context, category === undefined ? [] : crumbsInto(context, category))}
${
  text.language !== language &&
  html`<p class="note">${fill(texts.notTranslated, {
    wanted: languageName(language, language),
    shown: languageName(text.language, language),
  })}</p>`
}
<article class="prose" lang="${text.language}" dir="auto">
<h1>${text.title}</h1>
<p class="meta"><time datetime="${text.updatedAt}" lang="${language}" dir="ltr">${fill(texts.updatedOn, { date: day })}</time></p>
${raw(content.html)}
</article>
${feedbackForm(context, article.slug, text.language)}
${related.length > 0 && html`<section class="related"><h2>${texts.relatedArticles}</h2>${articleList(context, related)}</section>`}
</main>`
  return {
    title: text.title,
    description: content.excerpt,
    main,
    header: 'search',
    seo: {
      canonical: articlePath(canonicalAt, article.slug, text.language),
      alternates: article.languages.map((other) => ({
        language: other,
        url: articlePath(canonicalAt, article.slug, other),
      })),
      xDefault: articlePath(canonicalAt, article.slug),
    },
    languageLinks: article.languages.map((other) => ({ language: other, path: articlePath(at, article.slug, other) })),
    contentLanguage: text.language,
  }
}
