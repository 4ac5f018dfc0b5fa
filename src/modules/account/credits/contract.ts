import type { FamilyError } from '../../../platform/contract/index.ts'

/** For operations that spend credits. None does yet, but the code is part of the published API. */
export const INSUFFICIENT_CREDITS = {
  code: 'insufficient_credits',
  status: 422,
  meaning: 'Your organisation does not have enough credits for this action. Nothing was spent.',
  remedy: 'Add credits, then retry.',
  example: { message: 'Your organisation does not have enough credits. Nothing was spent. Add credits, then retry.' },
} as const satisfies FamilyError
