import { z } from 'zod'
import { field } from '../../../platform/contract/index.ts'
import { byLanguage, ContentLanguage, LANGUAGES_MAX } from '../../../platform/contract/languages.ts'

const SUGGESTIONS_MAX = 10
/** A list has at most 100 of them, and an event three. */
const TRANSLATIONS_BYTES_MAX = 24 * 1024

/** What visitors read. */
export const chatbotText = {
  welcome_message: field
    .name(500)
    .meta({ description: 'The heading above an empty conversation.', examples: ['How can we help?'] }),
  welcome_subtitle: field
    .name(500)
    .meta({ description: 'The text below the heading.', examples: ['Ask about your machine in any language.'] }),
  suggestions: z
    .array(field.name(200).meta({ examples: ['How do I descale it?'] }))
    .max(SUGGESTIONS_MAX, { error: `Must have at most ${SUGGESTIONS_MAX} suggestions` })
    .meta({ description: 'Questions that a visitor can choose from.', examples: [['How do I descale it?']] }),
  away_message: field.name(1000).meta({
    description: 'What a visitor who asks for a person reads outside the office hours.',
    examples: ['We are back on Monday at 9.'],
  }),
}

export const DefaultLanguage = ContentLanguage.describe(
  'The language of `welcome_message`, `welcome_subtitle`, `suggestions` and `away_message`. Null: not known.',
)

const translated = {
  welcome_message: chatbotText.welcome_message.nullable().meta({ examples: ['Wie können wir helfen?'] }),
  welcome_subtitle: chatbotText.welcome_subtitle.nullable().meta({ examples: ['Fragen Sie in Ihrer Sprache.'] }),
  suggestions: chatbotText.suggestions.nullable().meta({ examples: [['Wie entkalke ich sie?']] }),
  away_message: chatbotText.away_message.nullable().meta({ examples: ['Ab Montag, 9 Uhr, sind wir wieder da.'] }),
}

/** The texts of a chatbot in other languages. */
export const ChatbotTranslations = byLanguage(z.object(translated)).meta({
  description:
    'The texts in other languages than `default_language`. A text that is null here is shown as the chatbot itself has it.',
  examples: [
    {
      de: { welcome_message: 'Wie können wir helfen?', welcome_subtitle: null, suggestions: null, away_message: null },
    },
  ],
})
export type ChatbotTranslations = z.output<typeof ChatbotTranslations>

export const ChatbotTranslationsInput = byLanguage(
  z.strictObject({
    welcome_message: translated.welcome_message.default(null),
    welcome_subtitle: translated.welcome_subtitle.default(null),
    suggestions: translated.suggestions.default(null),
    away_message: translated.away_message.default(null),
  }),
)
  .refine((sent) => Buffer.byteLength(JSON.stringify(sent)) <= TRANSLATIONS_BYTES_MAX, {
    error: 'Must be at most 24 KiB as JSON',
  })
  .meta({
    description: `The texts in other languages, by language: at most ${LANGUAGES_MAX}, and 24 KiB as JSON. Replaces the previous object. A text that you omit is shown as the chatbot itself has it.`,
    examples: [{ de: { welcome_message: 'Wie können wir helfen?' } }],
  })
