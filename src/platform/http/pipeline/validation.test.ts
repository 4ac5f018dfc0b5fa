import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ApiError } from '../../errors/index.ts'
import { parsePayload } from './validation.ts'

const Text = z.union([z.string().max(5), z.partialRecord(z.enum(['en', 'de']), z.string())])
const Shelf = z.strictObject({
  name: z.string(),
  colours: z.array(z.enum(['red', 'green'])).optional(),
  label: Text.optional(),
  size: z.union([z.strictObject({ width: z.int() }), z.strictObject({ label: z.string() })]).optional(),
  boxes: z.array(z.strictObject({ size: z.strictObject({ width: z.int(), depth: z.int().optional() }) })).optional(),
})

function problemsOf(value: unknown): unknown {
  try {
    return parsePayload(Shelf, value, (path, key) => path.length === 0 && key === 'created_at')
  } catch (error) {
    return (error as ApiError).details
  }
}

const expectFields = (value: unknown, fieldErrors: object) =>
  expect(problemsOf(value)).toEqual({ formErrors: [], fieldErrors })

describe('an invalid payload', () => {
  test('names each field by its whole path', () => {
    expectFields(
      { name: 5, boxes: [{ size: { width: 1 } }, { size: { width: 'x' } }, {}, 7] },
      {
        name: ['Must be a string'],
        'boxes[1].size.width': ['Must be a number'],
        'boxes[2].size': ['Required'],
        'boxes[3]': ['Must be an object, not 7'],
      },
    )
    expect(problemsOf([])).toEqual({ formErrors: ['Must be an object'], fieldErrors: {} })
  })

  test('names unknown and read-only fields, and the field that was probably meant', () => {
    expectFields(
      {
        name: '',
        created_at: 1,
        colurs: [],
        Name: 'x',
        boxes: [{ size: { width: 1, dept: 2, created_at: 3, id: 4 } }],
      },
      {
        created_at: ['Read-only field'],
        colurs: ['Unknown field. Did you mean colours?'],
        Name: ['Unknown field. Did you mean name?'],
        'boxes[0].size.dept': ['Unknown field. Did you mean depth?'],
        'boxes[0].size.created_at': ['Unknown field'],
        'boxes[0].size.id': ['Unknown field'],
      },
    )
    expectFields(JSON.parse('{"name":"","__proto__":1,"a b\\n":2}'), {
      ['__proto__']: ['Unknown field'],
      'a b\\n': ['Unknown field'],
    })
  })

  test('names the wrong one of many values, at a bounded length', () => {
    const long = '🪑'.repeat(100)
    expectFields(
      { name: '', colours: ['red', 'gren\u0000\u202e', long] },
      {
        'colours[1]': ['Must be one of red, green, not "gren\\u0000\\u202e"'],
        'colours[2]': [`Must be one of red, green, not "${'🪑'.repeat(60)}…"`],
      },
    )
  })

  test('of a union reports the option whose type was sent', () => {
    expectFields({ name: '', label: { en: 5 } }, { 'label.en': ['Must be a string'] })
    expectFields({ name: '', label: 'too long' }, { label: ['Must have at most 5 characters'] })
    expectFields({ name: '', label: 5 }, { label: ['Must have one of the allowed forms'] })
  })

  test('of a union of objects reports the option whose fields were sent', () => {
    expectFields({ name: '', size: { width: 'x' } }, { 'size.width': ['Must be a number'] })
    expectFields({ name: '', size: { label: 5 } }, { 'size.label': ['Must be a string'] })
    for (const size of [{}, { width: 1, label: 'L' }]) {
      expectFields({ name: '', size }, { size: ['Must have one of the allowed forms'] })
    }
  })

  test('reports 100 problems at most', () => {
    const { fieldErrors } = problemsOf({ name: '', boxes: Array(5000).fill(0) }) as { fieldErrors: object }
    expect(Object.keys(fieldErrors)).toHaveLength(100)
    expect(Object.keys(fieldErrors).at(-1)).toBe('boxes[99]')
  })
})
