import { timestamp } from '../../../platform/clock/index.ts'
import { findValue, isTrue, type SourceRecord, textOf } from './records.ts'
import type { Source } from './sources.ts'
import { cut, listOf, type Place, parseCount, parsePlace, parseTime, trimSlashes } from './values.ts'

/** A link of another service, in our words. */
export interface SourceCode extends Place {
  row: number
  target: string
  name: string | null
  description: string | null
  tags: string[]
  /** Null if the export does not say. */
  scans: number | null
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
  const refuse = (problem: string, advice: string): RowProblem[] => [{ row, address, problem, advice }]
  if (places.length === 0) return refuse('the row has no short link', 'Check that this is the right export.')
  if (target === undefined) return refuse('the row has no destination', 'Add the destination, or leave the row out.')
  if (!['false', 'f', '0'].includes(textOf(record, source.password)?.toLowerCase() ?? 'false'))
    return refuse(
      'the link has a password, which codes cannot have',
      'Create a page or chatbot with a password, and a code that leads to it.',
    )
  const count = textOf(record, source.scans)
  const scans = count === undefined ? null : parseCount(count)
  if (scans === undefined)
    return refuse(
      `the number of clicks (${count}) cannot be read`,
      'Write it in digits alone, such as 1280, or leave it empty. A dot could be a decimal point.',
    )
  const created = textOf(record, source.createdAt)
  const createdMs = created === undefined ? null : parseTime(created)
  if (createdMs === undefined)
    return refuse(
      `the time of creation (${created}) cannot be read`,
      'Write it as 2024-05-01 or 2024-05-01T10:00:00Z, or leave it empty.',
    )
  const expiry = textOf(record, source.expiresAt)
  const expiresMs = expiry === undefined ? undefined : parseTime(expiry)
  const isExpired = expiresMs !== undefined && expiresMs <= nowMs
  const shared = {
    row,
    target,
    name: cut(textOf(record, source.name), NAME_LENGTH_MAX),
    description: cut(textOf(record, source.description), DESCRIPTION_LENGTH_MAX),
    tags: listOf(findValue(record, source.tags)),
    createdAt: createdMs === null ? null : timestamp(Math.min(createdMs, nowMs)),
    isStopped: isExpired || isTrue(record, source.disabled),
    isArchived: isTrue(record, source.archived),
    notes: notesOf(record, source, isExpired),
  }
  // Several addresses are counted together. The first of them has the count, and the others keep what they have.
  return places.map((place, n) => ({ ...shared, ...place, scans: n === 0 ? scans : null }))
}

/** What visitors of the link can notice, because a code does not do it. */
function notesOf(record: SourceRecord, source: Source, isExpired: boolean): string[] {
  const [start, visits] = [textOf(record, source.startsAt), textOf(record, source.visitsMax)]
  return [
    ...(isExpired ? ['has expired there, so it is inactive here'] : []),
    ...(!isExpired && textOf(record, source.expiresAt) !== undefined ? ['would expire there, which is not kept'] : []),
    ...(start === undefined ? [] : [`works there only from ${start} on, which is not kept`]),
    ...(visits === undefined ? [] : [`works there for ${visits} visits only, which is not kept`]),
    ...(isTrue(record, source.hasRules) ? ['redirects some visitors elsewhere there, which is not kept'] : []),
  ]
}
