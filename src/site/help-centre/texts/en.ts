import type { Texts } from './texts.ts'

export const en: Texts = {
  skipToContent: 'Skip to content',
  home: 'Home',
  search: 'Search',
  searchPlaceholder: 'How can we help?',
  topics: 'Topics',
  allTopics: 'All topics',
  articles: 'Articles',
  allArticles: 'All articles',
  recentlyUpdated: 'Recently updated',
  articleCount: ['{n} article', '{n} articles'],
  updatedOn: 'Updated on {date}',
  notTranslated: 'Not available in {wanted} yet. This is the {shown} version.',
  relatedArticles: 'Related articles',
  language: 'Language',
  breadcrumb: 'You are here',
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  results: ['{n} result for “{q}”', '{n} results for “{q}”'],
  noResults: 'No results for “{q}”',
  searchAdvice: 'Try fewer or different words, or browse the topics.',
  otherLanguages: 'No results in {language}. These are results in other languages.',
  empty: 'Nothing here yet. Please check back soon.',
  feedback: {
    question: 'Did this help?',
    yes: 'Yes',
    no: 'No',
    thanks: 'Thank you. Your answer helps us to improve this page.',
  },
  missing: {
    title: 'We could not find this page',
    text: 'It may have been moved or deleted. Try a search, or go to the home page.',
  },
  unknown: {
    title: 'We could not find this help centre',
    text: 'Please check the address or scan the code again.',
  },
  gone: {
    title: 'This help centre is no longer available',
    text: 'It has been permanently deleted. If you need help, please contact the owner.',
  },
  unavailable: {
    title: 'One moment, please',
    text: 'We cannot show this page right now. It will reload automatically in a few seconds.',
    retry: 'Try again',
  },
  notCounted: {
    title: 'Your answer was not counted',
    text: 'Please go back and try again in a minute.',
  },
}
