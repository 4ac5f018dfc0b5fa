import { type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import { findValue, isTrue, type SourceRecord, textOf } from './records.ts'
import type { Source } from './sources.ts'

/** A link of another service, in our words. */
export interface SourceCode {
  row: number
  /** The host in its address. Null if the export does not say. */
  host: string | null
  slug: string
  target: string
  name: string | null
  description: string | null
  tags: string[]
  scans: number
  createdAt: string | null
  /** Visitors of the other service do not reach its target any more. */
  isStopped: boolean
  /** Hidden there, but still working. */
  isArchived: boolean
  /** What the other service did and we do not. */
  notes: string[]
}

/** Why a row cannot be moved, and what to do. */
export interface RowProblem {
  row: number
  address: string
  problem: string
  advice: string
}

const NAME_LENGTH_MAX = 200
const DESCRIPTION_LENGTH_MAX = 2000

/** Reads one row. It is several codes if the link has several addresses. */
export function toSourceCodes(record: SourceRecord, source: Source, nowMs: number): (SourceCode | RowProblem)[] {
  const { row } = record
  const link = textOf(record, source.link)
  const slug = textOf(record, source.slug)
  const places = [link, ...listOf(findValue(record, source.alsoAt))].flatMap((text) => (text ? [parsePlace(text)] : []))
  if (places.length === 0 && slug !== undefined)
    places.push({ host: textOf(record, source.domain)?.toLowerCase() ?? null, slug: trimSlashes(slug) })
  const target = textOf(record, source.target)
  const address = link ?? slug ?? ''
  if (places.length === 0)
    return [{ row, address, problem: 'the row has no short link', advice: 'Check that this is the right export.' }]
  if (target === undefined)
    return [
      { row, address, problem: 'the row has no destination', advice: 'Add the destination, or leave the row out.' },
    ]
  if (textOf(record, source.password) !== undefined && !['false', '0'].includes(textOf(record, source.password) ?? ''))
    return [
      {
        row,
        address,
        problem: 'the link has a password, which codes cannot have',
        advice: 'Create a page or chatbot with a password, and a code that leads to it.',
      },
    ]
  const createdMs = parseTime(textOf(record, source.createdAt))
  const expiresMs = parseTime(expiryOf(record, source))
  const isExpired = expiresMs !== undefined && expiresMs <= nowMs
  const notes = [
    ...(isExpired ? ['has expired there, so it is inactive here'] : []),
    ...(expiresMs !== undefined && !isExpired ? ['would expire there, which is not kept'] : []),
  ]
  const shared = {
    row,
    target,
    name: cut(textOf(record, source.name), NAME_LENGTH_MAX),
    description: cut(textOf(record, source.description), DESCRIPTION_LENGTH_MAX),
    tags: listOf(findValue(record, source.tags)),
    createdAt: createdMs === undefined ? null : timestamp(Math.min(createdMs, nowMs)),
    isStopped: isExpired || isTrue(record, source.disabled),
    isArchived: isTrue(record, source.archived),
    notes,
  }
  // Several addresses are counted together: the first of them has the count.
  return places.map((place, n) => ({
    ...shared,
    ...place,
    scans: n === 0 ? countOf(findValue(record, source.scans)) : 0,
  }))
}

/** Parses `https://go.acme.com/sale` and `go.acme.com/sale`. */
export function parsePlace(text: string): { host: string | null; slug: string } {
  const [, host, path] = /^(?:https?:\/\/)?([^/\s]+\.[^/\s]+)\/(.*)$/i.exec(text) ?? []
  if (host === undefined || path === undefined) return { host: null, slug: trimSlashes(text) }
  const [bare = ''] = path.split(/[?#]/, 1)
  return { host: host.toLowerCase(), slug: trimSlashes(decode(bare)) }
}

const trimSlashes = (text: string): string => text.replace(/^\/+|\/+$/g, '')

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `a|b`, `a, b`, `["a", "b"]`, or a list of texts or of objects with a name. */
function listOf(value: unknown): string[] {
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

/** A number, a text such as `1,280`, or Shlink's counts, of which those of people are ours. */
export function countOf(value: unknown): number {
  if (typeof value === 'object' && value !== null) {
    const { nonBots, total } = value as { nonBots?: unknown; total?: unknown }
    return countOf(nonBots ?? total)
  }
  const count = Number(String(value ?? 0).replace(/[,_\s]/g, ''))
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}

/** Shlink keeps the time in an object with other limits. */
function expiryOf(record: SourceRecord, source: Source): string | undefined {
  const value = findValue(record, source.expiresAt)
  const until = typeof value === 'object' ? (value as { validUntil?: unknown }).validUntil : value
  return typeof until === 'string' ? until : undefined
}

/** A time without a zone is in UTC, as databases write it: `2026-06-09 22:50:58`. */
export function parseTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const zoned = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(text)
    ? `${text.replace(' ', 'T')}Z`
    : text
  const ms = toMs(zoned.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') as Timestamp)
  return Number.isNaN(ms) ? undefined : ms
}

const cut = (text: string | undefined, max: number): string | null =>
  text === undefined ? null : [...text].slice(0, max).join('')
