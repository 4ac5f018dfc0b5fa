import { z } from 'zod'
import { invalidPayload } from '../errors/index.ts'

/** JSON types as people call them. */
const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

/** Says what a value must be. Zod's own messages name its internal types ("expected string, received undefined"). */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Required' : `Must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return issue.input === undefined ? 'Required' : `Must be ${oneOf(issue.values)}`
    case 'too_small':
      return `Must ${sized(issue.origin, `at least ${issue.minimum}`)}`
    case 'too_big':
      return `Must ${sized(issue.origin, `at most ${issue.maximum}`)}`
    case 'unrecognized_keys':
      return `Unknown or read-only: ${issue.keys.join(', ')}`
    default:
      return undefined
  }
}

function sized(origin: string, bound: string): string {
  if (origin === 'array') return `have ${bound} items`
  return origin === 'string' ? `have ${bound} characters` : `be ${bound}`
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`

/** A body of 1 MiB can have tens of thousands of problems. Nobody reads more than a few. */
const ISSUES_MAX = 100

/** Parses a value; throws an `invalid_payload` that names each invalid field. */
export function parsePayload<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, { error: describeIssue })
  if (parsed.success) return parsed.data
  const first = new z.ZodError(parsed.error.issues.slice(0, ISSUES_MAX))
  const { formErrors, fieldErrors } = z.flattenError(first, messageWithPath)
  throw invalidPayload(fieldErrors as Record<string, string[]>, formErrors)
}

/** Names the part of the field, because an array or object can have many: `[3].config.text: Required`. */
const messageWithPath = ({ path: [, ...inner], message }: z.core.$ZodIssue): string =>
  inner.length === 0 ? message : `${pathOf(inner)}: ${message}`

const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((key, n) => (typeof key === 'number' ? `[${key}]` : `${n === 0 ? '' : '.'}${String(key)}`)).join('')

const PROBLEM = 'Must not contain U+0000 or an unpaired surrogate'

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/**
 * Finds text that is valid JSON but that a database cannot store. Checked here for all fields, so that no family can
 * forget it. Without recursion, because the sender chooses the depth.
 */
export function unstorable(value: unknown): { field: string; problem: string } | undefined {
  const stack: { field: string; value: unknown }[] = [{ field: '', value }]
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { field, value } = item
    if (typeof value === 'string' && !isStorable(value)) return { field, problem: PROBLEM }
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      const name = field === '' ? key : field
      if (!isStorable(key)) return { field: name.replaceAll('\0', '').toWellFormed(), problem: PROBLEM }
      stack.push({ field: name, value: inner })
    }
  }
  return undefined
}
