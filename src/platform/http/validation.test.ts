import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ApiError } from '../errors/index.ts'
import { parsePayload } from './validation.ts'

const Shelf = z.strictObject({
  name: z.string(),
  boxes: z.array(z.strictObject({ size: z.strictObject({ width: z.int() }) })).optional(),
})

function problemsOf(value: unknown): unknown {
  try {
    return parsePayload(Shelf, value)
  } catch (error) {
    return (error as ApiError).details
  }
}

describe('an invalid payload', () => {
  test('names each field, and the part of it that is wrong', () => {
    expect(problemsOf({ name: 5, boxes: [{ size: { width: 1 } }, { size: { width: 'x' } }, {}] })).toEqual({
      formErrors: [],
      fieldErrors: {
        name: ['Must be a string'],
        boxes: ['[1].size.width: Must be a number', '[2].size: Required'],
      },
    })
    expect(problemsOf({ name: '', colour: 'red', boxes: [{ size: { width: 1, depth: 2 } }] })).toEqual({
      formErrors: ['Unknown or read-only: colour'],
      fieldErrors: { boxes: ['[0].size: Unknown or read-only: depth'] },
    })
  })

  test('reports 100 problems at most', () => {
    const { fieldErrors } = problemsOf({ name: '', boxes: Array(5000).fill(0) }) as {
      fieldErrors: Record<string, string[]>
    }
    expect(fieldErrors.boxes).toHaveLength(100)
    expect(fieldErrors.boxes?.at(-1)).toBe('[99]: Must be an object')
  })
})
