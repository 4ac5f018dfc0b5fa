import type { Texts } from './texts.ts'

export const de: Texts = {
  skipToContent: 'Zum Inhalt springen',
  home: 'Startseite',
  search: 'Suchen',
  searchPlaceholder: 'Wie können wir helfen?',
  topics: 'Themen',
  allTopics: 'Alle Themen',
  articles: 'Artikel',
  allArticles: 'Alle Artikel',
  recentlyUpdated: 'Zuletzt aktualisiert',
  articleCount: ['{n} Artikel', '{n} Artikel'],
  updatedOn: 'Aktualisiert am {date}',
  notTranslated: 'Noch nicht auf {wanted} verfügbar. Der Artikel wird auf {shown} angezeigt.',
  relatedArticles: 'Verwandte Artikel',
  language: 'Sprache',
  breadcrumb: 'Sie sind hier',
  pages: 'Seiten',
  previous: 'Zurück',
  next: 'Weiter',
  results: ['{n} Ergebnis für „{q}“', '{n} Ergebnisse für „{q}“'],
  noResults: 'Keine Ergebnisse für „{q}“',
  searchAdvice: 'Verwenden Sie weniger oder andere Wörter, oder stöbern Sie in den Themen.',
  otherLanguages: 'Keine Ergebnisse auf {language}. Hier sind Ergebnisse in anderen Sprachen.',
  empty: 'Hier gibt es noch keine Inhalte. Bitte schauen Sie bald wieder vorbei.',
  feedback: {
    question: 'War das hilfreich?',
    yes: 'Ja',
    no: 'Nein',
    thanks: 'Vielen Dank. Ihre Antwort hilft uns, diese Seite zu verbessern.',
  },
  missing: {
    title: 'Diese Seite wurde nicht gefunden',
    text: 'Möglicherweise wurde sie verschoben oder gelöscht. Nutzen Sie die Suche oder gehen Sie zur Startseite.',
  },
  unknown: {
    title: 'Dieses Hilfecenter wurde nicht gefunden',
    text: 'Bitte prüfen Sie die Adresse oder scannen Sie den Code noch einmal.',
  },
  gone: {
    title: 'Dieses Hilfecenter gibt es nicht mehr',
    text: 'Es wurde endgültig gelöscht. Bei Fragen wenden Sie sich bitte an den Anbieter.',
  },
  unavailable: {
    title: 'Einen Moment bitte',
    text: 'Diese Seite kann gerade nicht angezeigt werden. Sie wird in wenigen Sekunden automatisch neu geladen.',
    retry: 'Erneut versuchen',
  },
  notCounted: {
    title: 'Ihre Antwort wurde nicht gezählt',
    text: 'Bitte gehen Sie zurück und versuchen Sie es in einer Minute noch einmal.',
  },
}
