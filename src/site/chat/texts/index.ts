import type { Language } from '../../../platform/contract/languages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'
import { nl } from './nl.ts'
import { no } from './no.ts'
import { sv } from './sv.ts'
import type { Texts } from './texts.ts'
import { zh } from './zh.ts'

export { fill } from '../../../platform/text/fill.ts'
export type { Texts } from './texts.ts'

export const TEXTS: Record<Language, Texts> = { en, ja, de, fr, ko, zh, nl, sv, es, it, no }
