import { expect, test } from 'vitest'
import { z } from 'zod'
import type { ApiError } from '../../../platform/errors/index.ts'
import { parsePayload } from '../../../platform/http/pipeline/validation.ts'
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

test('thousands of languages are refused before they are looked at', () => {
  const tags = Array.from({ length: 2000 }, (_, n) => `de-${1001 + n}`)
  const options = Array.from({ length: 50 }, (_, n) => ({
    value: `${n}`,
    label: Object.fromEntries(tags.slice(40 * n, 40 * (n + 1)).map((tag) => [tag, 'Art'])),
  }))
  const blocks = [{ type: 'form_select', config: { label: 'Kind', name: 'kind', options } }]
  expect(problemsOf(blocks)).toEqual({ blocks: ['Must have texts in at most 50 languages, and no unknown fields'] })
  const heading = [
    { type: 'heading', config: { text: Object.fromEntries(tags.slice(0, 51).map((tag) => [tag, 'Art'])) } },
  ]
  expect(problemsOf(heading)).toEqual({ 'blocks[0].config.text': ['Must have at most 50 languages'] })
})

test('blocks of more than 256 KiB are refused because of their size, and no other problem is reported', () => {
  const size = { blocks: ['Must be at most 256 KiB as JSON'] }
  expect(problemsOf(wrongLabels(100, { xx: '' }))).toEqual(size)
  expect(problemsOf('x'.repeat(256 * 1024))).toEqual(size)
  expect(problemsOf([{ type: 'unknown', config: 'é'.repeat(128 * 1024) }])).toEqual(size)
})
