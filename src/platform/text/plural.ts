import type { Language } from '../contract/languages.ts'

/** A text in the forms that the plural rules of its language distinguish. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

/** Cached because creating them takes longer than rendering a page. */
const rules = new Map<Language, Intl.PluralRules>()

/** Returns the form for a number, with its placeholders unfilled. */
export function pluralForm(forms: PluralForms, n: number, language: Language): string {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return forms[known.select(n)] ?? forms.other
}
