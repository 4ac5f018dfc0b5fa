import type { Language } from '../../../modules/knowledge/languages/index.ts'
import { en } from './en.ts'
import type { Texts } from './texts.ts'

export type { Texts } from './texts.ts'

export const TEXTS: Partial<Record<Language, Texts>> & { en: Texts } = { en }

/** Replaces `{name}` in a text. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
