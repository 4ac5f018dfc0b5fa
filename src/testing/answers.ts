import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { z } from 'zod'
import type { Reply } from './client.ts'

/** Every answer parsed with its schema. A schema strips what it does not declare, so that a difference is a leak. */
export function checkAnswer(schema: z.ZodType, answer: unknown): void {
  const sent: unknown = JSON.parse(JSON.stringify(answer))
  const declared = schema.parse(sent)
  if (!isDeepStrictEqual(sent, declared)) {
    throw new Error(`undeclared keys in ${JSON.stringify(sent)}; declared is ${JSON.stringify(declared)}`)
  }
}

export function expectUnprocessable({ status, body }: Reply, field: string, value: string): void {
  expect(status).toBe(422)
  expect(body).toMatchObject({ error: 'unprocessable', details: { field, value } })
}
