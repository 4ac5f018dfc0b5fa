import fc from 'fast-check'
import type { Operation } from '../platform/contract/operation.ts'
import { exampleBody } from './operations.ts'

export interface WildRequest {
  operation: Operation
  path: string
  headers: Record<string, string>
  body: string | undefined
}

/** Texts that often break software: control characters, surrogates, text direction, wildcards, quotes, templates. */
const NASTY = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e‮مرحبا',
  '🏷️👩‍👩‍👧‍👦',
  "'; drop table article_tags; --",
  '%_\\',
  '{{7*7}}',
  '__proto__',
  'null',
  '-1',
  '1e309',
  '9'.repeat(400),
  'x'.repeat(5000),
  '../../etc/passwd',
  '\r\nSet-Cookie: a=b',
  'ﬃ İı ẞß',
]

const text = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 120 }))
const value = fc.oneof(text, fc.jsonValue({ maxDepth: 4 }), fc.double(), fc.maxSafeInteger())

/** Generates requests from the contract that are mostly valid and wrong in one or several places. */
export function wildRequests(operations: readonly Operation[], ids: readonly string[]): fc.Arbitrary<WildRequest> {
  const id = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: fc.uuid() }, text)
  return fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      path: path(operation, id),
      headers: headers(),
      body: body(operation),
    }),
  )
}

function path({ declared, params }: Operation, id: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const names = Object.keys(declared.query?.shape ?? {})
  const parameter = fc.tuple(
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names, 'nonsense') }, text),
    fc.oneof(text, fc.integer({ min: -2, max: 200 }).map(String)),
  )
  return fc
    .tuple(fc.array(id, { minLength: 3, maxLength: 3 }), fc.array(parameter, { maxLength: 4 }))
    .map(([values, query]) => {
      const named = Object.fromEntries(Object.keys(params).map((name, index) => [name, values[index] ?? '']))
      const filled = declared.path.replace(/\{(\w+)\}/g, (_, name: string) => encode(named[name] ?? ''))
      const search = query.map(([name, text]) => `${encode(name)}=${encode(text)}`).join('&')
      return `/v1${filled}${search === '' ? '' : `?${search}`}`
    })
}

/** Lone surrogates cannot be percent-encoded, so they are replaced, as a careless client would do. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

function headers(): fc.Arbitrary<Record<string, string>> {
  const key = fc.oneof(fc.constant(undefined), fc.string({ minLength: 0, maxLength: 300 }), fc.constantFrom('a', 'b'))
  const type = fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain', 'nonsense/', '')
  return fc
    .record({ key, type: fc.oneof({ weight: 8, arbitrary: fc.constant('application/json') }, type) })
    .map(({ key, type }) => ({
      'content-type': type,
      ...(key !== undefined && { 'idempotency-key': key.replace(/[^\x20-\x7e]/g, '').trim() }),
    }))
}

function body(operation: Operation): fc.Arbitrary<string | undefined> {
  const { declared } = operation
  if (declared.upload !== undefined) return fc.oneof(text, fc.constant('GIF89a'), fc.constant(undefined))
  if (declared.body === undefined) return fc.constantFrom(undefined, '{}')
  const names = Object.keys(declared.body.shape)
  const changed = fc
    .array(fc.tuple(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, text), value), {
      maxLength: 2,
    })
    .map((changes) => JSON.stringify({ ...exampleBody(operation), ...Object.fromEntries(changes) }))
  return fc.oneof(
    { weight: 8, arbitrary: changed },
    { weight: 1, arbitrary: fc.jsonValue().map((json) => JSON.stringify(json)) },
    { weight: 1, arbitrary: fc.oneof(text, fc.constantFrom(undefined, '{', '[[[[[', '{"a":1}}')) },
  )
}
