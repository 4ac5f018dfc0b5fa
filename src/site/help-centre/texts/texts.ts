/** What a number is said with: for one, and for any other. A language that makes no difference says the same twice. */
export type Forms = readonly [one: string, other: string]

interface Notice {
  title: string
  text: string
}

/** What the pages say themselves. Words in braces are filled in. */
export interface Texts {
  skip: string
  home: string
  search: string
  /** Stands in the search field. */
  question: string
  topics: string
  allTopics: string
  articles: string
  allArticles: string
  recent: string
  /** {n} */
  counted: Forms
  /** {date} */
  updated: string
  /** {wanted} and {shown} are languages. */
  inAnother: string
  related: string
  language: string
  breadcrumb: string
  pages: string
  previous: string
  next: string
  /** {n}, {q} */
  results: Forms
  /** {q} */
  nothing: string
  advice: string
  /** {language} */
  inOthers: string
  empty: string
  /** Within a help centre, where one can search and begin anew. */
  missing: Notice
  /** There is no such help centre. */
  unknown: Notice
  gone: Notice
  unavailable: Notice & { retry: string }
}
