import type { ContentLanguage } from '../../../../../platform/contract/languages.ts'
import {
  type ExportedArticle,
  type ExportedGroup,
  type HelpCentreExport,
  isJson,
  type Json,
  listIn,
  textIn,
} from './export.ts'

type LanguageOf = (locale: string) => ContentLanguage | undefined

/** Answers of the API of Intercom: lists of articles and of collections. */
export function readIntercom(documents: readonly unknown[], languageOf: LanguageOf): HelpCentreExport | undefined {
  const items = documents.flatMap((document) =>
    Array.isArray(document) ? document.filter(isJson) : isJson(document) ? listIn(document, 'data') : [],
  )
  const articles = items.filter(({ type }) => type === 'article')
  if (articles.length === 0) return undefined
  return {
    articles: articles.map((article) => toArticle(article, languageOf)),
    groups: items
      .filter(({ type }) => type === 'collection' || type === 'section')
      .map((each) => toGroup(each, languageOf)),
  }
}

/** All languages but the default one, whose texts are those of the object itself. */
function translationsIn(object: Json, languageOf: LanguageOf): [ContentLanguage, Json][] {
  const own = languageOf(textIn(object, 'default_locale'))
  return Object.entries(isJson(object.translated_content) ? object.translated_content : {}).flatMap(
    ([locale, value]) => {
      const language = locale === 'type' ? undefined : languageOf(locale)
      return language === undefined || language === own || !isJson(value) ? [] : [[language, value]]
    },
  )
}

function toArticle(article: Json, languageOf: LanguageOf): ExportedArticle {
  const parents = Array.isArray(article.parent_ids) ? article.parent_ids : []
  const translated = translationsIn(article, languageOf).flatMap(([language, each]) =>
    each.state === 'draft' || textIn(each, 'body') === ''
      ? []
      : [[language, { title: textIn(each, 'title'), html: textIn(each, 'body') }] as const],
  )
  return {
    id: textIn(article, 'id'),
    title: textIn(article, 'title'),
    html: textIn(article, 'body'),
    language: languageOf(textIn(article, 'default_locale')),
    isDraft: article.state === 'draft',
    isRestricted: false,
    tags: [],
    translations: new Map(translated),
    address: textIn(article, 'url'),
    groupId: textIn(article, 'parent_id') || String(parents[0] ?? ''),
  }
}

const toGroup = (group: Json, languageOf: LanguageOf): ExportedGroup => ({
  id: textIn(group, 'id'),
  parentId: textIn(group, 'parent_id'),
  name: textIn(group, 'name'),
  description: textIn(group, 'description'),
  position: Number(group.order ?? 0),
  translations: new Map(
    translationsIn(group, languageOf).flatMap(([language, each]) => {
      const name = textIn(each, 'name', 'title')
      return name === '' ? [] : [[language, { name, description: textIn(each, 'description') || null }] as const]
    }),
  ),
})
