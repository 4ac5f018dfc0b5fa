import type { ContentLanguage } from '../../../../../platform/contract/languages.ts'
import type { MenuItem } from '../navigation/readers.ts'

/** A text of a help centre at another service. */
interface ExportedText {
  title: string
  html: string
}

export interface ExportedArticle extends ExportedText {
  id: string
  language: ContentLanguage | undefined
  isDraft: boolean
  /** Only some people could read it. */
  isRestricted: boolean
  tags: string[]
  translations: Map<ContentLanguage, ExportedText>
  /** Where it was. */
  address: string
  /** The id of the section or collection that it is in. */
  groupId: string
}

/** A section, category or collection. */
export interface ExportedGroup {
  id: string
  parentId: string
  name: string
  description: string
  position: number
  translations: Map<ContentLanguage, { name: string; description: string | null }>
}

export interface HelpCentreExport {
  articles: ExportedArticle[]
  groups: ExportedGroup[]
}

export type Json = Record<string, unknown>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textIn = (object: Json, ...names: string[]): string => {
  for (const name of names) {
    const value = object[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
    if (typeof value === 'number') return String(value)
  }
  return ''
}

export const listIn = (object: Json, name: string): Json[] =>
  Array.isArray(object[name]) ? object[name].filter(isJson) : []

/** The groups with their articles, as a menu. */
export function toMenuItems({ articles, groups }: HelpCentreExport, pathOf: (id: string) => string): MenuItem[] {
  const children = Map.groupBy(groups, ({ id, parentId }) =>
    groups.some((each) => each.id === parentId && parentId !== id) ? parentId : '',
  )
  const inGroup = Map.groupBy(articles, ({ groupId }) => groupId)
  const seen = new Set<string>()
  const toItems = (parentId: string): MenuItem[] =>
    (children.get(parentId) ?? [])
      .sort((a, b) => a.position - b.position || (a.name < b.name ? -1 : 1))
      .filter(({ id }) => !seen.has(id) && seen.add(id))
      .map(({ id, name, description, translations }) => ({
        title: name,
        items: [
          ...(inGroup.get(id) ?? []).map((article) => ({ title: '', target: pathOf(article.id), items: [] })),
          ...toItems(id),
        ],
        ...((description !== '' || translations.size > 0) && {
          details: {
            ...(description !== '' && { description: [...description].slice(0, 2000).join('') }),
            ...(translations.size > 0 && { translations: Object.fromEntries(translations) }),
          },
        }),
      }))
  return toItems('')
}
