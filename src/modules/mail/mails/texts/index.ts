import type { Language } from '../../../../platform/contract/languages.ts'
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
import type { MailTexts } from './texts.ts'
import { zh } from './zh.ts'

export type { FactName, MailKind } from './texts.ts'

export const MAIL_TEXTS: Record<Language, MailTexts> = {
  en,
  ja,
  de,
  fr,
  ko,
  zh,
  nl,
  sv,
  es,
  it,
  no,
  pt,
  pl,
  da,
  fi,
  ar,
}
