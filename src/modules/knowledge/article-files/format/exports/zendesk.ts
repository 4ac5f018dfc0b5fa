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

/** Answers of the Help Center API of Zendesk: articles, sections, categories and translations, in one file or several. */
export function readZendesk(documents: readonly unknown[], languageOf: LanguageOf): HelpCentreExport | undefined {
  const objects = documents.filter(isJson)
  const all = (name: string) => objects.flatMap((object) => listIn(object, name))
  const bare = documents.flatMap((document) => (Array.isArray(document) ? document.filter(isJson) : []))
  const articles = [...all('articles'), ...bare.filter((each) => 'body' in each && 'section_id' in each)]
  if (articles.length === 0) return undefined
  const translations = Map.groupBy(
    all('translations'),
    (each) => `${textIn(each, 'source_type')}:${textIn(each, 'source_id')}`,
  )
  const translationsOf = (type: string, object: Json) => [
    ...(translations.get(`${type}:${textIn(object, 'id')}`) ?? []),
    ...listIn(object, 'translations'),
  ]
  const toArticle = (article: Json): ExportedArticle => {
    const language = languageOf(textIn(article, 'locale', 'source_locale'))
    const translated = translationsOf('Article', article).flatMap((each) => {
      const other = languageOf(textIn(each, 'locale'))
      if (other === undefined || other === language || each.draft === true || textIn(each, 'body') === '') return []
      return [[other, { title: textIn(each, 'title'), html: textIn(each, 'body') }] as const]
    })
    return {
      id: textIn(article, 'id'),
      title: textIn(article, 'title', 'name'),
      html: textIn(article, 'body'),
      language,
      isDraft: article.draft === true,
      isRestricted: article.user_segment_id != null,
      tags: Array.isArray(article.label_names) ? article.label_names.filter((name) => typeof name === 'string') : [],
      translations: new Map(translated),
      address: textIn(article, 'html_url'),
      groupId: `section-${textIn(article, 'section_id')}`,
    }
  }
  const toGroup = (type: 'Section' | 'Category', group: Json): ExportedGroup => {
    const parent = textIn(group, 'parent_section_id')
    const language = languageOf(textIn(group, 'locale', 'source_locale'))
    const translated = translationsOf(type, group).flatMap((each) => {
      const other = languageOf(textIn(each, 'locale'))
      const name = textIn(each, 'title', 'name')
      if (other === undefined || other === language || name === '') return []
      return [[other, { name, description: textIn(each, 'body', 'description') || null }] as const]
    })
    return {
      id: `${type.toLowerCase()}-${textIn(group, 'id')}`,
      parentId:
        type === 'Category' ? '' : parent === '' ? `category-${textIn(group, 'category_id')}` : `section-${parent}`,
      name: textIn(group, 'name'),
      description: textIn(group, 'description'),
      position: Number(group.position ?? 0),
      translations: new Map(translated),
    }
  }
  return {
    articles: articles.map(toArticle),
    groups: [
      ...all('sections').map((each) => toGroup('Section', each)),
      ...all('categories').map((each) => toGroup('Category', each)),
    ],
  }
}
