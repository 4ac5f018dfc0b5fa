import type { Texts } from './texts.ts'

export const no: Texts = {
  skipToContent: 'Hopp til innholdet',
  home: 'Forsiden',
  search: 'Søk',
  searchPlaceholder: 'Hva lurer du på?',
  topics: 'Emner',
  allTopics: 'Alle emner',
  articles: 'Artikler',
  allArticles: 'Alle artikler',
  recentlyUpdated: 'Nylig oppdatert',
  articleCount: ['{n} artikkel', '{n} artikler'],
  updatedOn: 'Oppdatert {date}',
  notTranslated: 'Ikke tilgjengelig på {wanted} ennå. Dette er versjonen på {shown}.',
  relatedArticles: 'Relaterte artikler',
  language: 'Språk',
  breadcrumb: 'Du er her',
  pages: 'Sider',
  previous: 'Forrige',
  next: 'Neste',
  results: ['{n} treff på «{q}»', '{n} treff på «{q}»'],
  noResults: 'Ingen treff på «{q}»',
  searchAdvice: 'Prøv færre eller andre ord, eller bla gjennom emnene.',
  otherLanguages: 'Vi fant ingenting på {language}. Her er treff på andre språk.',
  empty: 'Her er det ingenting ennå. Kom gjerne tilbake snart.',
  feedback: {
    question: 'Var dette til hjelp?',
    yes: 'Ja',
    no: 'Nei',
    thanks: 'Takk. Svaret ditt hjelper oss med å gjøre siden bedre.',
  },
  missing: {
    title: 'Vi fant ikke siden',
    text: 'Den kan ha blitt flyttet eller slettet. Søk etter den, eller gå til forsiden.',
  },
  unknown: {
    title: 'Vi fant ikke hjelpesenteret',
    text: 'Sjekk adressen eller skann koden på nytt.',
  },
  gone: {
    title: 'Hjelpesenteret finnes ikke lenger',
    text: 'Det er slettet permanent. Kontakt eieren hvis du trenger hjelp.',
  },
  unavailable: {
    title: 'Et øyeblikk',
    text: 'Vi kan ikke vise siden akkurat nå. Den lastes inn på nytt automatisk om noen sekunder.',
    retry: 'Prøv igjen',
  },
  notCounted: {
    title: 'Svaret ditt ble ikke talt med',
    text: 'Gå tilbake og prøv igjen om et minutt.',
  },
}
