import { z } from 'zod'
import { UUID_PATTERN } from '../ids/index.ts'
import { describeIssue, nameValue } from './describe-issue.ts'
import { isHttpsUrl, isWebUrl, toUri, toUriTemplate, URL_LENGTH_MAX } from './web-url.ts'

/**
 * Lengths are counted in Unicode code points, as in JSON Schema. Zod's `min` and `max` count UTF-16 units, so an emoji
 * would count as two.
 */
function hasAtMost(max: number, text: string): boolean {
  // No text has more code points than UTF-16 units, and to count those of half a megabyte takes 8 ms.
  if (text.length <= max) return true
  let count = 0
  for (const _ of text) if (++count > max) return false
  return true
}

const sized = (schema: z.ZodString, min: number, max: number) =>
  schema
    .refine((text) => text.length >= min && hasAtMost(max, text), {
      error: min === 0 ? `Must be at most ${max} characters` : `Must be ${min} to ${max} characters, not blank`,
    })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max })

/** Accepts `Z` or an offset. The service itself always writes milliseconds and `+00:00`. */
const TIMESTAMP_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

const EXTERNAL_ID_LENGTH_MAX = 255
export const PUBLIC_SLUG_LENGTH = 12

/** One rule per kind of value. */
export const field = {
  /** Stored in lower case, because SQLite compares ids as text. */
  id: z
    .string()
    .regex(UUID_PATTERN, { error: 'Must be a UUID' })
    .toLowerCase()
    .meta({ format: 'uuid', examples: ['0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11'] }),

  /** A name or title: trimmed, never blank. */
  name: (max: number) => sized(z.string().trim(), 1, max),

  /** Any other text, stored exactly as sent. */
  text: (min: number, max: number) => sized(z.string(), min, max),

  /** What the customer calls a thing. */
  externalId: sized(z.string(), 1, EXTERNAL_ID_LENGTH_MAX).meta({
    description: 'Your own ID. Unique in your organisation.',
    examples: ['chair-0042'],
  }),

  timestamp: z
    .string()
    .refine((text) => TIMESTAMP_PATTERN.test(text) && !Number.isNaN(Date.parse(text)), {
      error: 'Must be an ISO 8601 date and time with an offset',
    })
    .meta({ format: 'date-time', examples: ['2026-06-09T22:50:58.806+00:00'] }),

  hexColor: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/, { error: 'Must be a colour such as #1a2b3c' })
    .meta({ examples: ['#1a2b3c'] }),

  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, { error: 'Must be a time zone such as Europe/Berlin' })
    .meta({ description: 'A name from the IANA time zone database.', examples: ['Europe/Berlin'] }),

  /** The last part of a URL path. */
  slug: z
    .string()
    .regex(/^[a-z0-9-]{1,200}$/, { error: 'Must be 1 to 200 lower-case letters, digits or -' })
    .meta({ examples: ['care-guide'] }),

  /** Part of a public address. Drawn at random, so that it cannot be guessed. */
  publicSlug: z
    .string()
    .regex(new RegExp(`^[0-9A-Za-z]{${PUBLIC_SLUG_LENGTH}}$`))
    .meta({
      description: 'The part of `url` that identifies it. Never changes and is never reused.',
      examples: ['k7Qm2XvB9sTe'],
    }),

  /** Stored as a URI, like `webUrl`. */
  httpsUrl: z
    .string()
    .refine(isHttpsUrl, { error: `Must be an HTTPS URL of at most ${URL_LENGTH_MAX} characters` })
    .overwrite(toUri)
    .meta({
      format: 'uri',
      pattern: '^[Hh][Tt]{2}[Pp][Ss]://',
      maxLength: URL_LENGTH_MAX,
      examples: ['https://acme.com/logo.svg'],
    }),

  /** An address that a visitor's browser opens or loads. Stored as a URI: letters such as ü are percent-encoded. */
  webUrl: z
    .string()
    .refine(isWebUrl, { error: `Must be an http or https URL of at most ${URL_LENGTH_MAX} characters` })
    .overwrite(toUri)
    .meta({
      format: 'uri',
      pattern: '^[Hh][Tt]{2}[Pp][Ss]?://',
      maxLength: URL_LENGTH_MAX,
      examples: ['https://acme.com/care'],
    }),

  /** Like `webUrl`, with placeholders such as `{{object.name}}`, which are filled in for each visitor. */
  webUrlTemplate: z
    .string()
    .refine(isWebUrl, { error: `Must be an http or https URL of at most ${URL_LENGTH_MAX} characters` })
    .overwrite(toUriTemplate)
    .meta({
      pattern: '^[Hh][Tt]{2}[Pp][Ss]?://',
      maxLength: URL_LENGTH_MAX,
      examples: ['https://acme.com/care?serial={{object.external_id}}'],
    }),

  /** An empty text matches everything. */
  search: sized(z.string().trim(), 0, 200).optional().describe('Only items that contain this text. Ignores case.'),
}

/** The schemas that OpenAPI shows for parameters that arrive as text but mean something else. */
export const documentedAs = z.registry<{ schema: object }>()

export function queryInteger<Fallback extends number | undefined>(min: number, max: number, fallback: Fallback) {
  const error = `Must be a whole number from ${min} to ${max}`
  const schema = z
    .string({ error })
    .optional()
    .transform((text, context): number | Fallback => {
      if (text === undefined) return fallback
      const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
      if (value >= min && value <= max) return value
      context.addIssue({ code: 'custom', message: error })
      return z.NEVER
    })
  documentedAs.add(schema, { schema: { type: 'integer', minimum: min, maximum: max, default: fallback } })
  return schema
}

/** A query parameter that is `true` or `false`. */
export function queryBoolean() {
  const sent = z.enum(['true', 'false'])
  documentedAs.add(sent, { schema: { type: 'boolean' } })
  return sent.transform((text) => text === 'true')
}

/** The format of a parameter that lists ids. A malformed one is `invalid_id`, as for a single id. */
export const ID_LIST_FORMAT = 'uuid-list'

/** A query parameter with several values, separated by commas. Each is returned once. */
export function commaList<Value>(item: z.ZodType<Value>, max: number, { mayBeEmpty = false } = {}) {
  return z.string().transform((text, context): Value[] => {
    const texts = text === '' && mayBeEmpty ? [] : text.split(',')
    const refuse = (message: string) => context.addIssue({ code: 'custom', message })
    if (texts.length > max) refuse(`Must have at most ${max} values, separated by commas`)
    const values = new Set<Value>()
    for (const one of texts.slice(0, max)) {
      const parsed = item.safeParse(one, { error: describeIssue })
      if (parsed.success) values.add(parsed.data)
      else refuse(`${nameValue(parsed.error.issues[0]?.message ?? '', one)}. Separate several with commas`)
    }
    return [...values]
  })
}

/** The `hint` of a family whose resources have an `external_id`. */
export const externalIdHint =
  (path: string, noun: string) =>
  (sent: string): string | undefined =>
    hasAtMost(EXTERNAL_ID_LENGTH_MAX, sent)
      ? `To find ${noun} by your own ID, use GET ${path}?external_id=${encodeURIComponent(sent.toWellFormed())}`
      : undefined

export function pathNumber(meta: { description: string }) {
  const schema = z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: 'Must be a whole number from 1' })
    .transform(Number)
    .meta({ ...meta, examples: ['1'] })
  documentedAs.add(schema, { schema: { type: 'integer', minimum: 1, maximum: 999_999_999 } })
  return schema
}

function isTimeZone(text: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions()
    // Intl knows a few names that no other program does, such as SystemV/PST8. This throws for them.
    new Temporal.ZonedDateTime(0n, timeZone)
    // Offsets such as +01:00 would ignore the change of clocks.
    return /^[A-Za-z]/.test(text)
  } catch {
    return false
  }
}
