import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { LANGUAGES } from '../platform/contract/languages.ts'
import { allOperations } from '../testing/operations.ts'

const ITEMS_PER_PAGE_MAX = 100
const RESPONSE_BYTES_MAX = 7_000_000

/** JSON writes a control character in six bytes. Any other character takes at most four. */
const BYTES_PER_CHARACTER = 6

/** Lists with long texts. They limit the bytes of a page: see list-sizes.api.test.ts. */
const LIMITED_BY_BYTES = [
  'events.list',
  'article-versions.list',
  'article-translations.list',
  'chatbots.list',
  'conversations.listMessages',
  'submissions.list',
]

/** The most characters of a text whose length the service decides. */
const LENGTHS: Record<string, number> = {
  // Our own base URL and a path of ours, or an address that was checked on the way in.
  url: 2048,
  file_url: 300,
  file_name: 255,
  gtin: 14,
  title: 300,
  snippet: 2000,
  domain: 300,
  check_error: 500,
  value: 300,
  reason: 20,
  type: 100,
  event: 100,
  description: 500,
  disabled_reason: 500,
  user_agent: 512,
  os: 50,
  browser: 50,
  country: 2,
  region: 200,
  city: 200,
  cpv: 20,
  lot: 20,
  serial: 20,
  referrer: 512,
  permissions: 30,
  scopes: 30,
  hint: 20,
  avatar_url: 300,
  action: 100,
  address: 45,
  device: 300,
  // All words of a search together have 200 characters.
  missing_words: Math.ceil(200 / 24),
}

/** The most bytes of an object with any keys. */
const RECORDS: Record<string, number> = {
  metadata: 16 * 1024,
  query_params: 4096 * BYTES_PER_CHARACTER + 50 * 6,
  schema: 16 * 1024,
  sample: 16 * 1024,
  // A page template has one text per language.
  title: LANGUAGES.length * (200 * BYTES_PER_CHARACTER + 8),
  description: LANGUAGES.length * (500 * BYTES_PER_CHARACTER + 8),
  translations: 24 * 1024,
  changes: 3000 * BYTES_PER_CHARACTER + 4096,
}

/** The most items of an array. */
const ITEMS: Record<string, number> = {
  verification_records: 10,
  tag_names: 100,
  events: 100,
  permissions: 26,
  scopes: 26,
  ids: 1000,
  category_path: 20,
  missing_words: 24,
}

interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  type?: string | string[]
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  maxLength?: number
  maxItems?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
}

/** The most bytes that a value takes as JSON. Fails for a field without a limit. */
function bytesMax(schema: JsonSchema, name: string, defs: Record<string, JsonSchema>): number {
  const limit = (limits: Record<string, number>): number => {
    if (limits[name] === undefined) throw new Error(`${name} has no limit: declare maxLength, or add it to this test`)
    return limits[name]
  }
  const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
  const { $ref, anyOf, items, properties } = schema
  if ($ref !== undefined) return bytesMax(defs[$ref.slice('#/$defs/'.length)]!, name, defs)
  if (anyOf !== undefined) return Math.max(...anyOf.map((each) => bytesMax(each, name, defs)))
  if (schema.const !== undefined) return bytesOf(schema.const)
  if (schema.enum !== undefined) return Math.max(...schema.enum.map(bytesOf))
  if (properties !== undefined) {
    const fields = Object.entries(properties)
    return fields.reduce((sum, [key, value]) => sum + key.length + 4 + bytesMax(value, key, defs), 2)
  }
  const types = [schema.type].flat()
  if (types.includes('array')) return (schema.maxItems ?? limit(ITEMS)) * (1 + bytesMax(items!, name, defs)) + 2
  if (types.includes('object')) return limit(RECORDS)
  if (!types.includes('string')) return String(Number.MIN_SAFE_INTEGER).length + 8
  if (schema.format === 'uuid' || schema.format === 'date-time') return 40
  const [, repeated] = /\{(?:\d+,)?(\d+)\}\$$/.exec(schema.pattern ?? '') ?? []
  return (schema.maxLength ?? (repeated ? Number(repeated) : limit(LENGTHS))) * BYTES_PER_CHARACTER + 2
}

const lists = allOperations.flatMap(({ id, declared }) => {
  const item = declared.offset ?? declared.cursor
  return item === undefined || LIMITED_BY_BYTES.includes(id) ? [] : [[id, item] as const]
})

describe('the limits of its fields keep a response within a few megabytes', () => {
  test.each(lists)('%s', (_id, item) => {
    const schema = z.toJSONSchema(item, { unrepresentable: 'any' }) as JsonSchema
    const bytes = bytesMax(schema, '', schema.$defs ?? {}) * ITEMS_PER_PAGE_MAX
    expect(bytes).toBeLessThanOrEqual(RESPONSE_BYTES_MAX)
  })
})
