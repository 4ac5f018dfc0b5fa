import type { Language } from '../contract/languages.ts'

/**
 * The forms for a count of one and for any other count, or those that the plural rules of a language distinguish. Repeat the
 * text where a language does not distinguish.
 */
export type PluralForms =
  | readonly [one: string, other: string]
  | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

/** Cached because creating them takes longer than rendering a page. */
const rules = new Map<Language, Intl.PluralRules>()

/** Returns the form for a number, with its placeholders unfilled. */
export function pluralForm(forms: PluralForms, n: number, language: Language): string {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  const rule = known.select(n)
  if ('other' in forms) return forms[rule] ?? forms.other
  return forms[rule === 'one' ? 0 : 1]
}
