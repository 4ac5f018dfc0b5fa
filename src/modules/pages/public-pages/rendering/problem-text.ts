import type { Language } from '../../../../platform/contract/languages.ts'
import { fill } from '../../../../platform/text/fill.ts'
import { pluralForm } from '../../../../platform/text/plural.ts'
import type { PossibleProblem } from '../../form/index.ts'
import { TEXTS } from '../texts.ts'

/** What a visitor reads about a problem with an answer. */
export function problemText({ problem, limit = '' }: PossibleProblem, language: Language): string {
  const text = TEXTS[language].form.problems[problem]
  if (typeof text === 'string') return fill(text, { limit })
  return fill(pluralForm(text, Number(limit), language), { limit })
}
