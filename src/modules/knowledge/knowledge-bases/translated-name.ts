import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import { nearestOf } from '../../../platform/text/negotiate-language.ts'
import type { NameTranslations } from './contract.ts'

/** A knowledge base or a category, with its name in the default language of the knowledge base. */
export interface Named {
  name: string
  description: string | null
  translations: NameTranslations
}

/** A name and a description in one language. */
export interface TranslatedName {
  name: string
  description: string | null
  language: ContentLanguage
}

/** Returns the name in this language or the nearest one, otherwise in the default language. */
export function nameIn(named: Named, own: ContentLanguage, language: ContentLanguage): TranslatedName {
  const { name, description, translations } = named
  const nearest = nearestOf(language, [own, ...Object.keys(translations)])
  const translation = nearest === undefined || nearest === own ? undefined : translations[nearest]
  return translation === undefined || nearest === undefined
    ? { name, description, language: own }
    : { name: translation.name, description: translation.description, language: nearest }
}

/** Sorts by language tag. PostgreSQL does not keep the order of keys. */
export const inOrder = (translations: NameTranslations): NameTranslations =>
  Object.fromEntries(Object.entries(translations).sort(([a], [b]) => (a < b ? -1 : 1)))
