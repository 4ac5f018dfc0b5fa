import { z } from 'zod'

/**
 * The languages that the product speaks. Each has texts for the notices after a scan, texts for the help centre, and
 * rules for search; the build fails while one of them is missing (CONTRIBUTING.md, "Add a language").
 */
export const LANGUAGES = ['en', 'ja', 'de', 'fr', 'ko', 'zh', 'nl', 'sv', 'es', 'it', 'no'] as const

export const Language = z.enum(LANGUAGES).meta({ examples: ['en'] })
export type Language = z.infer<typeof Language>
