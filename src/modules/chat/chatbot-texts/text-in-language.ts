import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import { negotiate } from '../../../platform/text/negotiate-language.ts'
import type { ChatbotTranslations } from './contract.ts'

type Texts = ChatbotTranslations[string]

/** What a chatbot says, in its own language and in others. */
export interface ChatbotTexts extends Texts {
  /** The language of the chatbot's own texts. Null if it is not known. */
  default_language: ContentLanguage | null
  translations: ChatbotTranslations
}

/** The texts in a row of the table of chatbots. */
export const toTexts = (row: Omit<ChatbotTexts, 'translations'> & { translations: object }): ChatbotTexts => {
  const { welcome_message, welcome_subtitle, suggestions, away_message, default_language } = row
  const translations = row.translations as ChatbotTranslations
  return { welcome_message, welcome_subtitle, suggestions, away_message, default_language, translations }
}

/** A text, and its language if that is known. */
export interface TextInLanguage<Text> {
  text: Text
  language: ContentLanguage | null
}

/** Stands for a language that is not known. It is no tag that a translation can have. */
const UNKNOWN = 'und'

/** Returns a text in the first of these languages that the chatbot speaks, otherwise as the chatbot itself has it. */
export function textIn<Name extends keyof Texts>(
  texts: ChatbotTexts,
  name: Name,
  accepted: string,
): TextInLanguage<Texts[Name]> {
  const { default_language, translations } = texts
  const own = default_language ?? UNKNOWN
  const language = negotiate(accepted, [own, ...Object.keys(translations)], own)
  const translated = language === own ? null : (translations[language]?.[name] ?? null)
  return translated === null ? { text: texts[name], language: default_language } : { text: translated, language }
}

/** In the order of language tags, and of the contract. PostgreSQL keeps neither. */
export const inOrder = (translations: ChatbotTranslations): ChatbotTranslations =>
  Object.fromEntries(
    Object.entries(translations)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([language, { welcome_message, welcome_subtitle, suggestions, away_message }]) => [
        language,
        { welcome_message, welcome_subtitle, suggestions, away_message },
      ]),
  )
