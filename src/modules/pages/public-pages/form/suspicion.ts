import { SECOND_MS } from '../../../../platform/clock/index.ts'
import { type Block, isFormField } from '../../blocks/index.ts'
import type { AnswerValue, SubmissionData } from '../../form/index.ts'
import type { ReceivedForm } from '../../submissions/index.ts'

/** What tells a person from a program. Nothing of it is stored, only the suspicion. */
export interface Signs {
  isTrapFilled: boolean
  /** How many fields were answered. */
  answers: number
  /** Since the page was opened. Null if we do not know. */
  elapsedMs: number | null
  /** Whether our script saw the focus, a pointer or a key in the form. A program can claim this, too. */
  wasTouched: boolean
  proof: 'done' | 'missing' | 'not_needed'
}

const ANSWER_MS = SECOND_MS / 2
/** A browser fills in name and address at once. */
const ANSWERS_MS_MAX = 2 * SECOND_MS

/** Time alone proves nothing: stars and a button are two taps. Neither does the trap, once a browser has worked. */
export function suspect(signs: Signs): ReceivedForm['suspicion'] {
  const isFast = isTooFast(signs)
  if (signs.isTrapFilled && (signs.proof !== 'done' || isFast)) return 'honeypot'
  if (isFast) return 'too_fast'
  return signs.proof === 'missing' ? 'no_proof_of_work' : null
}

const isTooFast = ({ answers, elapsedMs, wasTouched }: Signs): boolean =>
  !wasTouched && answers > 1 && elapsedMs !== null && elapsedMs < Math.min(answers * ANSWER_MS, ANSWERS_MS_MAX)

/** Counts what a visitor did: a switch that is as it was, and what the page itself has filled in, are no answers. */
export const countAnswers = (blocks: readonly Block[], data: SubmissionData): number =>
  blocks.filter((block) => isFormField(block.type) && isAnswered(block, data[block.id]?.value ?? null)).length

function isAnswered({ type, config }: Block, value: AnswerValue): boolean {
  if (type === 'form_hidden') return false
  if (type === 'form_switch') return value !== config.default
  return value !== null && [value].flat().length > 0
}
