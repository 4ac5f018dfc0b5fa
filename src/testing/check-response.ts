import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { z } from 'zod'
import type { Reply } from './client.ts'

/** Parses a response with its schema. The schema strips undeclared keys, so any difference is a leaked field. */
export function checkResponse(schema: z.ZodType, response: unknown): void {
  const sent: unknown = JSON.parse(JSON.stringify(response))
  const declared = schema.parse(sent)
  if (!isDeepStrictEqual(sent, declared)) {
    throw new Error(`undeclared keys in ${JSON.stringify(sent)}; declared: ${JSON.stringify(declared)}`)
  }
}

export function expectUnprocessable({ status, body }: Reply, field: string, value: string): void {
  expect(status).toBe(422)
  expect(body).toMatchObject({ error: 'unprocessable', details: { field, value } })
}
