import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'

/** Every answer parsed with its schema. A schema strips what it does not declare, so that a difference is a leak. */
export function checkAnswer(schema: z.ZodType, answer: unknown): void {
  const sent: unknown = JSON.parse(JSON.stringify(answer))
  const declared = schema.parse(sent)
  if (!isDeepStrictEqual(sent, declared)) {
    throw new Error(`undeclared keys in ${JSON.stringify(sent)}; declared is ${JSON.stringify(declared)}`)
  }
}
