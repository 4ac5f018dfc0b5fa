import type { FieldProblem } from './answers.ts'
import type { FieldBlock } from './check-field.ts'

export type PossibleProblem = Omit<FieldProblem, 'name'>

/**
 * What can be wrong with an answer that a person gives in a browser. What only a program sends is not in it, such as an
 * option that does not exist, and neither is a text that is longer than ours may be.
 */
export function possibleProblems(block: FieldBlock): PossibleProblem[] {
  const problems: PossibleProblem[] = []
  const limit = (problem: FieldProblem['problem'], value: string | number | null) => {
    if (value !== null) problems.push({ problem, limit: value })
  }
  if ('required' in block.config && block.config.required) problems.push({ problem: 'required' })
  switch (block.type) {
    case 'form_text':
      limit('too_short', block.config.min)
      if (block.config.pattern !== null) problems.push({ problem: 'pattern' })
      break
    case 'form_textarea':
      limit('too_short', block.config.min)
      break
    case 'form_email':
      problems.push({ problem: 'email' })
      break
    case 'form_phone':
      problems.push({ problem: 'phone' })
      break
    case 'form_number':
      problems.push({ problem: 'number' })
      limit('too_small', block.config.min)
      limit('too_large', block.config.max)
      limit('step', block.config.step)
      break
    case 'form_checkbox':
      limit('too_few', block.config.min)
      limit('too_many', block.config.max)
      break
    case 'form_date':
      problems.push({ problem: 'date' })
      limit('too_early', block.config.min)
      limit('too_late', block.config.max)
      break
    case 'form_media':
      limit('too_many_files', block.config.max_files)
  }
  return problems
}
