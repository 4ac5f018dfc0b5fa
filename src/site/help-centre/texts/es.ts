import type { Texts } from './texts.ts'

export const es: Texts = {
  skipToContent: 'Ir al contenido',
  home: 'Inicio',
  search: 'Buscar',
  searchPlaceholder: '¿Cómo podemos ayudar?',
  topics: 'Temas',
  allTopics: 'Todos los temas',
  articles: 'Artículos',
  allArticles: 'Todos los artículos',
  recentlyUpdated: 'Actualizados recientemente',
  articleCount: ['{n} artículo', '{n} artículos'],
  updatedOn: 'Actualizado el {date}',
  notTranslated: 'Aún no disponible en {wanted}. Esta es la versión en {shown}.',
  relatedArticles: 'Artículos relacionados',
  language: 'Idioma',
  breadcrumb: 'Usted está aquí',
  pages: 'Páginas',
  previous: 'Anterior',
  next: 'Siguiente',
  results: ['{n} resultado para «{q}»', '{n} resultados para «{q}»'],
  noResults: 'No hay resultados para «{q}»',
  searchAdvice: 'Pruebe con menos palabras o con otras distintas, o explore los temas.',
  otherLanguages: 'No hay resultados en {language}. Estos son los resultados en otros idiomas.',
  empty: 'Aquí todavía no hay contenido. Vuelva más adelante.',
  feedback: {
    question: '¿Le ha servido esta página?',
    yes: 'Me ha servido',
    no: 'No me ha servido',
    thanks: 'Gracias. Su respuesta nos ayuda a mejorar esta página.',
  },
  missing: {
    title: 'No hemos encontrado esta página',
    text: 'Es posible que se haya movido o eliminado. Búsquela o vaya a la página de inicio.',
  },
  unknown: {
    title: 'No hemos encontrado este centro de ayuda',
    text: 'Compruebe la dirección o vuelva a escanear el código.',
  },
  gone: {
    title: 'Este centro de ayuda ya no está disponible',
    text: 'Se ha eliminado definitivamente. Si necesita ayuda, póngase en contacto con el propietario.',
  },
  unavailable: {
    title: 'Un momento, por favor',
    text: 'Ahora mismo no podemos mostrar esta página. Se actualizará automáticamente en unos segundos.',
    retry: 'Reintentar',
  },
  notCounted: {
    title: 'Su respuesta no se ha contado',
    text: 'Vuelva atrás e inténtelo de nuevo dentro de un minuto.',
  },
}
