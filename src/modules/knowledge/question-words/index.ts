import type { Language } from '../../../platform/contract/languages.ts'
import { ar } from './ar.ts'
import { da } from './da.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fi } from './fi.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'
import { nl } from './nl.ts'
import { no } from './no.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { sv } from './sv.ts'
import type { QuestionWords } from './words.ts'
import { zh } from './zh.ts'

export const WORDS: Record<Language, QuestionWords> = { en, ja, de, fr, ko, zh, nl, sv, es, it, no, pt, pl, da, fi, ar }

const BY_LANGUAGE: ReadonlyMap<string, QuestionWords> = new Map(Object.entries(WORDS))

const NEVER = /(?!)/
const NONE: QuestionWords = { fillers: new Set(), howTo: NEVER, followUp: NEVER, synonyms: [], opposites: [] }

/** By any language tag: those of German for `de-AT`. In a language that we know nothing about, only the words themselves count. */
export const wordsOf = (language: string): QuestionWords =>
  BY_LANGUAGE.get(language.split('-', 1)[0] ?? language) ?? NONE
