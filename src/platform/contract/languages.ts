import { z } from 'zod'

/**
 * The supported languages. Each needs texts for scan pages, texts for the help centre and rules for search; the build
 * fails if one is missing (CONTRIBUTING.md, "Add a language").
 */
export const LANGUAGES = ['en', 'ja', 'de', 'fr', 'ko', 'zh', 'nl', 'sv', 'es', 'it', 'no'] as const

export const Language = z.enum(LANGUAGES).meta({ examples: ['en'] })
export type Language = z.infer<typeof Language>
