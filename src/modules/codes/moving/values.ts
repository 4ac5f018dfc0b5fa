import { type Timestamp, toMs } from '../../../platform/clock/index.ts'

/** Where a code is. The host is null if the file does not say. */
export interface Place {
  host: string | null
  slug: string
}

export const placeKey = ({ host, slug }: Place): string => (host === null ? slug : `${host}/${slug}`)

/** Parses `https://go.acme.com/sale` and `go.acme.com/sale`. */
export function parsePlace(text: string): Place {
  const [, host, path] = /^(?:https?:\/\/)?([^/\s]+\.[^/\s]+)\/(.*)$/i.exec(text) ?? []
  if (host === undefined || path === undefined) return { host: null, slug: trimSlashes(text) }
  const [bare = ''] = path.split(/[?#]/, 1)
  return { host: host.toLowerCase(), slug: trimSlashes(decode(bare)) }
}

export const trimSlashes = (text: string): string => text.replace(/^\/+|\/+$/g, '')

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `a|b`, `a, b`, `["a", "b"]`, or a list of texts or of objects with a name. */
export function listOf(value: unknown): string[] {
  if (Array.isArray(value))
    return value.flatMap((one) => {
      const text = typeof one === 'object' && one !== null ? (one as { name?: unknown }).name : one
      return typeof text === 'string' && text.trim() !== '' ? [text.trim()] : []
    })
  if (typeof value !== 'string') return []
  if (value.startsWith('[')) {
    try {
      return listOf(JSON.parse(value))
    } catch {
      return listOf(value.slice(1).replace(/\]$/, ''))
    }
  }
  return listOf(value.split(value.includes('|') ? '|' : ','))
}

/** Thousands may be separated by the same comma, space or apostrophe. A dot could be a decimal point. */
const COUNT = /^\d{1,3}(?:([,\s'’_])\d{3}(?:\1\d{3})*)?$|^\d+$/

/** Undefined if it is not clear which number it is. */
export function parseCount(text: string): number | undefined {
  const count = COUNT.test(text) ? Number(text.replace(/\D/g, '')) : Number.NaN
  return Number.isSafeInteger(count) ? count : undefined
}

/** `Date.parse` finds a date in nearly everything, and takes the day of `03.02.2025` for the month. */
const HAS_YEAR = /^(?!\d{1,2}\.\d).*\d{4}/

/** A time without a zone is in UTC, as databases write it: `2026-06-09 22:50:58`. Undefined if it is not clear which it is. */
export function parseTime(text: string): number | undefined {
  if (!HAS_YEAR.test(text)) return undefined
  const zoned = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(text)
    ? `${text.replace(' ', 'T')}Z`
    : text
  const ms = toMs(zoned.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') as Timestamp)
  return Number.isNaN(ms) ? undefined : ms
}

export const cut = (text: string | undefined, max: number): string | null =>
  text === undefined ? null : [...text].slice(0, max).join('')
