import type { Texts } from './texts.ts'

export const it: Texts = {
  skipToContent: 'Vai al contenuto',
  home: 'Pagina iniziale',
  search: 'Cerca',
  searchPlaceholder: 'Cerca tra gli articoli',
  topics: 'Argomenti',
  allTopics: 'Tutti gli argomenti',
  articles: 'Articoli',
  allArticles: 'Tutti gli articoli',
  recentlyUpdated: 'Aggiornati di recente',
  articleCount: ['{n} articolo', '{n} articoli'],
  updatedOn: 'Aggiornato il {date}',
  notTranslated: 'Non ancora disponibile in {wanted}. Questa è la versione in {shown}.',
  relatedArticles: 'Articoli correlati',
  language: 'Lingua',
  breadcrumb: 'Posizione attuale',
  pages: 'Pagine',
  previous: 'Precedente',
  next: 'Successiva',
  results: ['{n} risultato per «{q}»', '{n} risultati per «{q}»'],
  noResults: 'Nessun risultato per «{q}»',
  searchAdvice: 'Provare con meno parole o con parole diverse, oppure sfogliare gli argomenti.',
  otherLanguages: 'Nessun risultato in {language}. Ecco i risultati in altre lingue.',
  empty: 'Qui non ci sono ancora contenuti. Riprovare tra qualche tempo.',
  feedback: {
    question: 'Questa pagina è stata utile?',
    yes: 'È stata utile',
    no: 'Non è stata utile',
    thanks: 'Grazie. La risposta ci aiuta a migliorare questa pagina.',
  },
  missing: {
    title: 'Pagina non trovata',
    text: 'Potrebbe essere stata spostata o eliminata. Provare a cercarla o tornare alla pagina iniziale.',
  },
  unknown: {
    title: 'Centro assistenza non trovato',
    text: 'Controllare l’indirizzo o scansionare di nuovo il codice.',
  },
  gone: {
    title: 'Questo centro assistenza non è più disponibile',
    text: 'È stato eliminato definitivamente. Per assistenza, contattare il proprietario.',
  },
  unavailable: {
    title: 'Un momento, per favore',
    text: 'Al momento non è possibile mostrare questa pagina. Si aggiornerà automaticamente tra pochi secondi.',
    retry: 'Riprova',
  },
  notCounted: {
    title: 'La risposta non è stata registrata',
    text: 'Tornare indietro e riprovare tra un minuto.',
  },
}
