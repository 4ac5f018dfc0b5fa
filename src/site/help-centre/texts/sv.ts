import type { Texts } from './texts.ts'

export const sv: Texts = {
  skipToContent: 'Hoppa till innehållet',
  home: 'Startsida',
  search: 'Sök',
  searchPlaceholder: 'Hur kan vi hjälpa dig?',
  topics: 'Ämnen',
  allTopics: 'Alla ämnen',
  articles: 'Artiklar',
  allArticles: 'Alla artiklar',
  recentlyUpdated: 'Nyligen uppdaterade',
  articleCount: ['{n} artikel', '{n} artiklar'],
  updatedOn: 'Uppdaterad {date}',
  notTranslated: 'Finns inte på {wanted} än. Det här är versionen på {shown}.',
  relatedArticles: 'Relaterade artiklar',
  language: 'Språk',
  breadcrumb: 'Du är här',
  pages: 'Sidor',
  previous: 'Föregående',
  next: 'Nästa',
  results: ['{n} träff på ”{q}”', '{n} träffar på ”{q}”'],
  noResults: 'Inga träffar på ”{q}”',
  searchAdvice: 'Prova färre eller andra ord, eller bläddra bland ämnena.',
  otherLanguages: 'Vi hittade inget på {language}. Här är träffar på andra språk.',
  empty: 'Här finns inget än. Kom gärna tillbaka snart.',
  feedback: {
    question: 'Var det här till hjälp?',
    yes: 'Ja',
    no: 'Nej',
    thanks: 'Tack. Ditt svar hjälper oss att förbättra sidan.',
  },
  missing: {
    title: 'Vi hittar inte sidan',
    text: 'Den kan ha flyttats eller tagits bort. Sök efter den eller gå till startsidan.',
  },
  unknown: {
    title: 'Vi hittar inte hjälpcentret',
    text: 'Kontrollera adressen eller skanna koden igen.',
  },
  gone: {
    title: 'Hjälpcentret finns inte längre',
    text: 'Det har tagits bort permanent. Kontakta ägaren om du behöver hjälp.',
  },
  unavailable: {
    title: 'Ett ögonblick',
    text: 'Vi kan inte visa sidan just nu. Den läses in igen automatiskt om några sekunder.',
    retry: 'Försök igen',
  },
  notCounted: {
    title: 'Ditt svar räknades inte',
    text: 'Gå tillbaka och försök igen om en minut.',
  },
}
