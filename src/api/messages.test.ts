/** No message of the validation library leaves the service: people who never heard of it read our errors. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Operation } from '../platform/contract/operation.ts'
import type { ApiError, ValidationDetails } from '../platform/errors/index.ts'
import { parsePayload } from '../platform/http/index.ts'
import { allOperations, exampleBody } from '../testing/operations.ts'

const WRONG = [
  null,
  true,
  5,
  -1e9,
  1e9,
  0.5,
  '',
  ' ',
  'nonsense',
  'x'.repeat(20_000),
  [],
  ['nonsense'],
  {},
  { nonsense: 1 },
]
/** Words of the library, and our own words for problems that nobody has described. */
const RAW =
  /^Invalid|^Too (?:small|big)|^Unrecognized|^Expected|expected .*received|undefined|NaN|\[object|Is not valid|well formed/

const SENTENCE = /^[A-Z].{3,600}[^.]$/s

/** Wrong values for every place in a schema. */
function* wrongValues(schema: unknown, depth = 0): Generator<unknown> {
  yield* WRONG
  if (depth === 6) return
  const inner = unwrap(schema)
  if (inner instanceof z.ZodUnion) for (const option of inner.options) yield* wrongValues(option, depth + 1)
  else if (inner instanceof z.ZodArray) for (const value of wrongValues(inner.element, depth + 1)) yield [value]
  else if (inner instanceof z.ZodRecord) {
    const [key] = inner.keyType instanceof z.ZodEnum ? inner.keyType.options : ['any']
    for (const value of wrongValues(inner.valueType, depth + 1)) yield { [String(key)]: value }
  } else if (inner instanceof z.ZodObject) {
    const fixed = Object.entries(inner.shape).flatMap(([name, one]) =>
      one instanceof z.ZodLiteral ? [[name, one.value]] : [],
    )
    for (const [name, one] of Object.entries(inner.shape)) {
      for (const value of wrongValues(one, depth + 1)) yield { ...Object.fromEntries(fixed), [name]: value }
    }
  }
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrap(schema.unwrap())
  return schema
}

function messagesOf(schema: z.ZodType, value: unknown): [string, string][] {
  try {
    parsePayload(schema, value)
    return []
  } catch (error) {
    const { formErrors, fieldErrors } = (error as ApiError).details as ValidationDetails
    const ofFields = Object.entries(fieldErrors).flatMap(([field, texts]) =>
      texts.map((text) => [field, text] as const),
    )
    return [...formErrors.map((text) => ['', text] as const), ...ofFields].map(([field, text]) => [field, text])
  }
}

const schemasOf = ({ declared: { body, query } }: Operation) => [body, query].filter((schema) => schema !== undefined)

describe.each(
  allOperations.filter((operation) => schemasOf(operation).length > 0).map((one) => [one.id, one] as const),
)('%s', (_id, operation) => {
  test('says what is wrong in words of its own', () => {
    const bad: string[] = []
    for (const schema of schemasOf(operation)) {
      const valid = schema === operation.declared.body ? (exampleBody(operation) as object) : {}
      for (const [name, field] of Object.entries(schema.shape)) {
        for (const value of wrongValues(field)) {
          for (const [path, message] of messagesOf(schema, { ...valid, [name]: value })) {
            if (RAW.test(message) || !SENTENCE.test(message)) bad.push(`${path}: ${message}`)
          }
        }
      }
    }
    expect(bad).toEqual([])
  })
})
