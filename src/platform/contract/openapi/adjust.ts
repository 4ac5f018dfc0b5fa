import { isSame, type Json } from './json.ts'

/** Requests are described before parsing (input), responses after serialising (output). */
export type Direction = 'input' | 'output'

const NESTED = ['items', 'additionalProperties']
const NESTED_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const NESTED_BY_NAME = ['properties', '$defs']
/** Marks fields that are accepted but not documented, such as aliases. */
const HIDDEN = 'x-internal'

/** Makes a JSON Schema from Zod easier to read, from the innermost schema outwards. */
export function adjust(schema: Json, io: Direction): Json {
  const adjusted = { ...schema }
  const inner = (value: unknown) => (isSchema(value) ? adjust(value, io) : value)
  for (const key of NESTED) if (key in schema) adjusted[key] = inner(schema[key])
  for (const key of NESTED_LISTS) if (key in schema) adjusted[key] = (schema[key] as unknown[]).map(inner)
  for (const key of NESTED_BY_NAME) {
    if (!(key in schema)) continue
    const shown = Object.entries(schema[key] as Record<string, Json>).filter(([, value]) => value[HIDDEN] !== true)
    const named = shown.map(([name, value]) => [name, inner(value)])
    adjusted[key] = Object.fromEntries(named)
  }

  // A response may gain a field at any time. Clients generated from this document must accept it.
  if (io === 'output' && adjusted.additionalProperties === false) delete adjusted.additionalProperties
  // The pattern ignores case, which JSON Schema cannot express. The format is enough.
  if (adjusted.format === 'uuid') delete adjusted.pattern
  if (isSame((adjusted.propertyNames ?? {}) as Json, { type: 'string' })) delete adjusted.propertyNames
  return describeTime(mergeNull(adjusted), io)
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Turns `anyOf` of one type and null into `type: [string, null]` where both mean the same. */
function mergeNull(schema: Json): Json {
  const { anyOf, ...own } = schema
  const [value, none, ...more] = (anyOf ?? []) as Json[]
  if (value === undefined || none?.type !== 'null' || more.length > 0) return schema
  if (typeof value.type !== 'string' || value.enum !== undefined || value.const !== undefined) return schema
  return { ...value, ...own, type: [value.type, 'null'] }
}

function describeTime(schema: Json, io: Direction): Json {
  if (schema.format !== 'date-time' || schema.description !== undefined) return schema
  return { ...schema, description: io === 'output' ? 'ISO 8601 in UTC.' : 'ISO 8601 with an offset or `Z`.' }
}
