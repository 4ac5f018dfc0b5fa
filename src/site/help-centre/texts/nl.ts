import type { Texts } from './texts.ts'

export const nl: Texts = {
  skipToContent: 'Naar de inhoud',
  home: 'Startpagina',
  search: 'Zoeken',
  searchPlaceholder: 'Hoe kunnen we helpen?',
  topics: 'Onderwerpen',
  allTopics: 'Alle onderwerpen',
  articles: 'Artikelen',
  allArticles: 'Alle artikelen',
  recentlyUpdated: 'Onlangs bijgewerkt',
  articleCount: ['{n} artikel', '{n} artikelen'],
  updatedOn: 'Bijgewerkt op {date}',
  notTranslated: 'Nog niet beschikbaar in het {wanted}. Dit is de versie in het {shown}.',
  relatedArticles: 'Gerelateerde artikelen',
  language: 'Taal',
  breadcrumb: 'Je bent hier',
  pages: 'Pagina’s',
  previous: 'Vorige',
  next: 'Volgende',
  results: ['{n} resultaat voor ‘{q}’', '{n} resultaten voor ‘{q}’'],
  noResults: 'Geen resultaten voor ‘{q}’',
  searchAdvice: 'Probeer minder of andere woorden, of bekijk de onderwerpen.',
  otherLanguages: 'Geen resultaten in het {language}. Dit zijn resultaten in andere talen.',
  empty: 'Hier is nog niets te vinden. Kom later nog eens terug.',
  feedback: {
    question: 'Heeft dit geholpen?',
    yes: 'Ja',
    no: 'Nee',
    thanks: 'Bedankt. Met je antwoord kunnen we deze pagina verbeteren.',
  },
  missing: {
    title: 'We kunnen deze pagina niet vinden',
    text: 'De pagina is misschien verplaatst of verwijderd. Gebruik de zoekfunctie of ga naar de startpagina.',
  },
  unknown: {
    title: 'We kunnen dit helpcentrum niet vinden',
    text: 'Controleer het adres of scan de code opnieuw.',
  },
  gone: {
    title: 'Dit helpcentrum bestaat niet meer',
    text: 'Het is definitief verwijderd. Heb je hulp nodig? Neem contact op met de eigenaar.',
  },
  unavailable: {
    title: 'Een ogenblik geduld',
    text: 'We kunnen deze pagina nu niet weergeven. De pagina wordt over enkele seconden automatisch vernieuwd.',
    retry: 'Opnieuw proberen',
  },
  notCounted: {
    title: 'Je antwoord is niet geteld',
    text: 'Ga terug en probeer het over een minuut opnieuw.',
  },
}
