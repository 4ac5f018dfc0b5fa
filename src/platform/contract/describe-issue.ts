import type { z } from 'zod'
import { nearest } from '../text/nearest.ts'
import { describePath, describeValue } from './describe-value.ts'

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

const FORMAT_NAMES: Record<string, string> = {
  email: 'an email address',
  url: 'a URL',
  uuid: 'a UUID',
  date: 'a date such as 2026-06-09',
  datetime: 'an ISO 8601 date and time with an offset',
}

/** More options than these are cut to the first twelve. */
const OPTIONS_MAX = 24
const OPTIONS_SHOWN = 12

/** Which schema refused the keys of an issue. Zod's errors have the keys but not the schema. */
const refusedBy = new WeakMap<readonly string[], unknown>()

/** Says what a value must be. Zod's own messages name its internal types ("expected string, received undefined"). */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Required' : `Must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return issue.input === undefined ? 'Required' : `Must be ${oneOf(issue.values, issue.input)}`
    case 'too_small':
      return `Must ${sized(issue.origin, 'at least', Number(issue.minimum))}`
    case 'too_big':
      return `Must ${sized(issue.origin, 'at most', Number(issue.maximum))}`
    case 'invalid_format':
      return `Must be ${FORMAT_NAMES[issue.format] ?? 'well formed'}`
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      refusedBy.set(issue.keys, issue.inst)
      return 'Unknown field'
    case 'invalid_union':
      return describeUnion(issue)
    case 'invalid_key':
      return 'Must not have this key'
    default:
      return 'Is not valid'
  }
}

function sized(origin: string, bound: string, count: number): string {
  const noun = origin === 'array' ? 'item' : origin === 'string' ? 'character' : undefined
  return noun === undefined ? `be ${bound} ${count}` : `have ${bound} ${count} ${noun}${count === 1 ? '' : 's'}`
}

function oneOf(values: readonly unknown[], sent: unknown): string {
  if (values.length === 1) return String(values[0])
  if (values.length <= OPTIONS_MAX) return `one of ${values.join(', ')}`
  const meant = typeof sent === 'string' ? nearest(sent, values.map(String)) : undefined
  const hint = meant === undefined ? '' : `, such as ${meant}`
  return `one of ${values.slice(0, OPTIONS_SHOWN).join(', ')}, … (${values.length} in all)${hint}`
}

function describeUnion(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (issue.input === undefined) return 'Required'
  const { discriminator, options, input } = issue as { discriminator?: string; options?: unknown[]; input?: unknown }
  if (discriminator === undefined || options === undefined) return 'Must have one of the allowed forms'
  const sent = (input as Record<string, unknown>)[discriminator]
  return sent === undefined ? 'Required' : `Must be ${oneOf(options, sent)}`
}

interface Problem {
  path: readonly PropertyKey[]
  message: string
}

/** What a reader of the error wants to know, and Zod does not. */
export interface IssueFacts {
  /** The value that was parsed. */
  value: unknown
  /** How to call an unknown key. */
  unknown: string
  isReadOnly?: (path: readonly PropertyKey[], key: string) => boolean
}

/** The problems of an issue, each with the whole path of its field. */
function* problemsOf(issue: z.core.$ZodIssue, facts: IssueFacts): Generator<Problem> {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) yield { path: [...path, key], message: describeKey(issue, key, facts) }
    return
  }
  const meant = issue.code === 'invalid_union' ? meantOption(issue) : undefined
  if (meant === undefined) yield { path, message: withValue(issue, facts.value) }
  else for (const inner of meant) yield* problemsOf({ ...inner, path: [...path, ...inner.path] }, facts)
}

function describeKey(issue: z.core.$ZodIssueUnrecognizedKeys, key: string, facts: IssueFacts): string {
  // A schema can have a message of its own.
  const { keys, path, message } = issue
  if (!refusedBy.has(keys)) return message
  if (facts.isReadOnly?.(path, key)) return 'Read-only field'
  const { shape } = refusedBy.get(keys) as { shape?: object }
  const meant = nearest(key, Object.keys(shape ?? {}))
  return meant === undefined ? facts.unknown : `${facts.unknown}. Did you mean ${meant}?`
}

/** The option of a union that was probably meant: the only one of the value's type, or that has its fields. Its problems say more. */
function meantOption({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | undefined {
  const without = (code: z.core.$ZodIssue['code']) => (issues: z.core.$ZodIssue[]) =>
    !issues.some((issue) => issue.code === code && issue.path.length === 0)
  const close = errors.filter(without('invalid_type'))
  return [close, close.filter(without('unrecognized_keys'))].find(({ length }) => length === 1)?.[0]
}

/** Names the value if there were many to choose from, or if it is one of many. */
function withValue({ code, path, message, ...rest }: z.core.$ZodIssue, root: unknown): string {
  const isOneOfMany = code === 'invalid_value' || 'discriminator' in rest || typeof path.at(-1) === 'number'
  return isOneOfMany ? nameValue(message, valueAt(root, path)) : message
}

/** Adds the value to a message that says what it must be. */
export const nameValue = (message: string, value: unknown): string =>
  value === undefined || !message.startsWith('Must be ') || message.includes(', not ')
    ? message
    : `${message}, not ${describeValue(value)}`

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root
  for (const step of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[step]
  return value
}

/** Nobody reads more than a few. A body of 1 MiB can have tens of thousands. */
const PROBLEMS_MAX = 100

/** Sorts the problems of a value by the path of their field. */
export function collectProblems(issues: readonly z.core.$ZodIssue[], facts: IssueFacts) {
  const formErrors: string[] = []
  const fields = new Map<string, string[]>()
  let count = 0
  for (const issue of issues) {
    for (const { path, message } of problemsOf(issue, facts)) {
      if (count++ === PROBLEMS_MAX) return { formErrors, fieldErrors: Object.fromEntries(fields) }
      const field = describePath(path)
      const known = path.length === 0 ? formErrors : fields.get(field)
      if (known === undefined) fields.set(field, [message])
      else known.push(message)
    }
  }
  return { formErrors, fieldErrors: Object.fromEntries(fields) }
}
