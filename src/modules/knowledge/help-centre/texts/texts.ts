import type { Callout } from '../../../../platform/markdown/index.ts'
import type { PluralForms } from '../../../../platform/text/plural.ts'

interface Notice {
  title: string
  text: string
}

/** The interface texts of the help centre. Names in braces are placeholders. */
export interface Texts {
  skipToContent: string
  home: string
  search: string
  searchPlaceholder: string
  topics: string
  allTopics: string
  articles: string
  allArticles: string
  recentlyUpdated: string
  /** {n} */
  articleCount: PluralForms
  /** {date} */
  updatedOn: string
  /** {wanted} and {shown} are language names. */
  notTranslated: string
  relatedArticles: string
  language: string
  breadcrumb: string
  pages: string
  previous: string
  next: string
  /** {n}, {q} */
  results: PluralForms
  /** {q} */
  noResults: string
  searchAdvice: string
  /** Below a result: {words} of the query that the article does not have. */
  withoutWords: string
  /** {language} is the one without results. */
  otherLanguages: string
  empty: string
  /** Names the addresses of the owner. */
  contact: string
  /** Above the same addresses, where visitors did not find something. */
  needHelp: string
  /** Below an article. */
  /** Above the list of an article's headings. */
  contents: string
  /** What a highlighted paragraph begins with. */
  callouts: Readonly<Record<Callout, string>>
  feedback: { question: string; yes: string; no: string; thanks: string }
  /** An unknown page in an existing help centre. */
  missing: Notice
  /** An unknown help centre. */
  unknown: Notice
  /** A deleted help centre. */
  gone: Notice
  unavailable: Notice & { retry: string }
  /** An answer to `feedback` that could not be stored. */
  notCounted: Notice
}
