import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import { nearestOf } from '../../../platform/text/negotiate-language.ts'
import type { Text } from './contract.ts'

/** A text in one language. */
export interface TextInLanguage {
  text: string
  language: ContentLanguage
}

/** A text in this language or the nearest one, otherwise in the default language of the page, in English or in any other. */
export function textIn(text: Text, language: ContentLanguage, defaultLanguage: ContentLanguage): TextInLanguage {
  if (typeof text === 'string') return { text, language: defaultLanguage }
  const tags = Object.keys(text)
  const wanted = [language, defaultLanguage, 'en'].map((tag) => nearestOf(tag, tags))
  const chosen = wanted.find((tag) => tag !== undefined) ?? tags[0] ?? defaultLanguage
  return { text: text[chosen] ?? '', language: chosen }
}

/** Every text in a value, with its language if it has one. */
export function* textsIn(value: unknown): Generator<{ text: string; language: ContentLanguage | undefined }> {
  if (typeof value === 'string') yield { text: value, language: undefined }
  else if (typeof value === 'object' && value !== null) {
    const isText = isByLanguage(value)
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'string') yield { text: inner, language: isText ? key : undefined }
      else yield* textsIn(inner)
    }
  }
}

/** The same value, with all texts of one language in another instead. */
export function relabel<Value>(value: Value, from: ContentLanguage, to: ContentLanguage): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => relabel(inner, from, to)) as Value
  const isText = isByLanguage(value)
  const entries = Object.entries(value).map(([key, inner]) => [
    isText && key === from ? to : key,
    relabel(inner, from, to),
  ])
  return Object.fromEntries(entries) as Value
}

/** `url` and `min` could be languages, too. But every other object of a block has a longer name, such as `type` or `label`. */
const isByLanguage = (value: object): boolean => Object.keys(value).every((key) => /^[a-z]{2,3}(?:-|$)/.test(key))
