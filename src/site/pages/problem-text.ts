import type { FieldProblem } from '../../modules/pages/form/index.ts'
import type { Language } from '../../platform/contract/languages.ts'
import { fill, TEXTS } from './texts/index.ts'

/** What a visitor reads about a problem with an answer. */
export function problemText({ problem, limit = '' }: FieldProblem, language: Language): string {
  const text = TEXTS[language].form.problems[problem]
  if (typeof text === 'string') return fill(text, { limit })
  const [one, other] = text
  const form = new Intl.PluralRules(language).select(Number(limit)) === 'one' ? one : other
  return fill(form, { limit })
}
