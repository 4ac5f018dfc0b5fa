import type { Texts } from './texts.ts'

export const fr: Texts = {
  skipToContent: 'Aller au contenu',
  home: 'Accueil',
  search: 'Rechercher',
  searchPlaceholder: 'Que recherchez-vous\u00a0?',
  topics: 'Rubriques',
  allTopics: 'Toutes les rubriques',
  articles: 'Articles',
  allArticles: 'Tous les articles',
  recentlyUpdated: 'Mis à jour récemment',
  articleCount: ['{n} article', '{n} articles'],
  updatedOn: 'Mis à jour le {date}',
  notTranslated: 'Pas encore disponible en {wanted}. Voici la version en {shown}.',
  relatedArticles: 'Articles associés',
  language: 'Langue',
  breadcrumb: 'Vous êtes ici',
  pages: 'Pages',
  previous: 'Précédent',
  next: 'Suivant',
  results: ['{n} résultat pour «\u00a0{q}\u00a0»', '{n} résultats pour «\u00a0{q}\u00a0»'],
  noResults: 'Aucun résultat pour «\u00a0{q}\u00a0»',
  searchAdvice: 'Essayez avec moins de mots ou d’autres mots, ou parcourez les rubriques.',
  otherLanguages: 'Aucun résultat en {language}. Voici des résultats dans d’autres langues.',
  empty: 'Il n’y a encore rien ici. Revenez bientôt.',
  feedback: {
    question: 'Cette page vous a-t-elle été utile ?',
    yes: 'Oui',
    no: 'Non',
    thanks: 'Merci. Votre réponse nous aide à améliorer cette page.',
  },
  missing: {
    title: 'Cette page est introuvable',
    text: 'Elle a peut-être été déplacée ou supprimée. Faites une recherche ou revenez à l’accueil.',
  },
  unknown: {
    title: 'Ce centre d’aide est introuvable',
    text: 'Vérifiez l’adresse ou scannez à nouveau le code.',
  },
  gone: {
    title: 'Ce centre d’aide n’existe plus',
    text: 'Il a été définitivement supprimé. Pour toute question, contactez son propriétaire.',
  },
  unavailable: {
    title: 'Un instant, s’il vous plaît',
    text: 'Nous ne pouvons pas afficher cette page pour le moment. Elle s’actualisera automatiquement dans quelques secondes.',
    retry: 'Réessayer',
  },
  notCounted: {
    title: 'Votre réponse n’a pas été prise en compte',
    text: 'Revenez à la page précédente et réessayez dans une minute.',
  },
}
