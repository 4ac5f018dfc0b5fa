import { en } from './en.ts'
import type { LanguageRules } from './rules.ts'

/** Japanese is searched by characters, so it has no stems or function words. Latin words in it are usually English. */
export const ja: LanguageRules = en
