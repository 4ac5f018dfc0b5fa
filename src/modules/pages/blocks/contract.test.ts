import { expect, test } from 'vitest'
import { z } from 'zod'
import type { ApiError } from '../../../platform/errors/index.ts'
import { parsePayload } from '../../../platform/http/validation.ts'
import { BlockList } from './contract.ts'

const Body = z.strictObject({ blocks: BlockList })

function problemsOf(blocks: unknown): Record<string, string[]> {
  try {
    parsePayload(Body, { blocks })
    return {}
  } catch (error) {
    const { fieldErrors } = (error as ApiError).details as { fieldErrors: Record<string, string[]> }
    return fieldErrors
  }
}

/** Fields with 200 wrong labels each. */
const wrongLabels = (fields: number, label: unknown) =>
  Array.from({ length: fields }, (_, n) => ({
    type: 'form_select',
    config: {
      label: 'Kind',
      name: `kind-${n}`,
      options: Array.from({ length: 200 }, (_, k) => ({ value: `${k}`, label })),
    },
  }))

test('of thousands of wrong labels, the first hundred are named', () => {
  const blocks = wrongLabels(30, { xx: '' })
  expect(JSON.stringify(blocks).length).toBeLessThan(256 * 1024)
  const fields = Object.keys(problemsOf(blocks))
  expect(fields).toHaveLength(100)
  expect(fields[0]).toBe('blocks[0].config.options[0].label.xx')
  expect(fields.at(-1)).toBe('blocks[0].config.options[99].label.xx')
})

test('blocks of more than 256 KiB are refused because of their size, and no other problem is reported', () => {
  const size = { blocks: ['Must be at most 256 KiB as JSON'] }
  expect(problemsOf(wrongLabels(100, { xx: '' }))).toEqual(size)
  expect(problemsOf('x'.repeat(256 * 1024))).toEqual(size)
  expect(problemsOf([{ type: 'unknown', config: 'é'.repeat(128 * 1024) }])).toEqual(size)
})
