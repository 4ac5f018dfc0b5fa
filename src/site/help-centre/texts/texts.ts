/** The forms for a count of one and for any other count. Repeat the text where a language does not distinguish. */
export type PluralForms = readonly [one: string, other: string]

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
  /** {language} is the one without results. */
  otherLanguages: string
  empty: string
  /** Below an article. */
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
