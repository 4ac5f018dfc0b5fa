import type { LanguageLink } from '../../../../platform/look/index.ts'
import type { Html } from '../../../../platform/text/html.ts'
import type { ArticleText, PublicArticle } from '../../public-articles/index.ts'

/** An article and the text that the visitor reads. */
export interface ShownArticle {
  article: PublicArticle
  text: ArticleText
}

/** The parts of a page that differ from other pages. */
export interface CentreView {
  /** Left out on the home page, whose title is the name of the help centre. */
  title?: string
  description?: string | null
  main: Html
  /** The categories in which it is, outermost first. Left out on pages without a breadcrumb. */
  trail?: readonly { name: string; slug: string }[]
  isArticle?: boolean
  /** A picture for previews, instead of the logo. */
  image?: string | undefined
  /** Left out for pages that search engines should not index. */
  seo?: SeoLinks
  /** `brand` has no search field, for pages that contain one. */
  header: 'brand' | 'search'
  /** See `languageLinks`. */
  languageLinks: LanguageLink[]
}

/** These are whole URLs: the same page may be shown on several hosts. */
export interface SeoLinks {
  canonical: string
  alternates: { language: string; url: string }[]
  /** The address for readers of any other language. */
  xDefault: string
}
