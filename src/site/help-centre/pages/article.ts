import {
  type Article,
  type ArticleItem,
  articlePath,
  type Category,
} from '../../../modules/knowledge/help-centre/index.ts'
import { html, raw } from '../../../platform/text/html.ts'
import type { Reading } from '../reading.ts'
import type { Rendered } from '../rendered-texts.ts'
import { fill, nameLanguage, writeDate } from '../wording.ts'
import { crumbsInto } from './category.ts'
import type { View } from './layout.ts'
import { articleList, breadcrumb } from './lists.ts'

interface Around {
  category: Category | undefined
  content: Rendered
  related: readonly ArticleItem[]
}

/**
 * The direction is found in the text: an article may be written in a script that its language does not tell. What was
 * written stands in nothing that it could end by itself.
 */
export function articleView(reading: Reading, article: Article, { category, content, related }: Around): View {
  const { texts, language, centre } = reading
  const { text } = article
  const day = writeDate(text.updatedAt, language)
  const main = html`<main class="narrow" id="content" tabindex="-1">
${breadcrumb(reading, category === undefined ? [] : crumbsInto(reading, category))}
${
  text.language !== language &&
  html`<p class="note">${fill(texts.inAnother, {
    wanted: nameLanguage(language, language),
    shown: nameLanguage(text.language, language),
  })}</p>`
}
<article class="prose" lang="${text.language}" dir="auto">
<h1>${text.title}</h1>
<p class="meta"><time datetime="${text.updatedAt}" lang="${language}" dir="ltr">${fill(texts.updated, { date: day })}</time></p>
${raw(content.html)}
</article>
${related.length > 0 && html`<section class="related"><h2>${texts.related}</h2>${articleList(reading, related)}</section>`}
</main>`
  const alternates = article.languages.map((other) => ({
    language: other,
    path: articlePath(centre.publicSlug, article.slug, other),
  }))
  return {
    title: text.title,
    description: content.excerpt,
    main,
    header: 'search',
    known: {
      canonical: articlePath(centre.publicSlug, article.slug, text.language),
      alternates,
      fallback: articlePath(centre.publicSlug, article.slug),
    },
    switch: alternates,
    shown: text.language,
  }
}
