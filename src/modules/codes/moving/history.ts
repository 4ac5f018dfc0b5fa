import { timestamp } from '../../../platform/clock/index.ts'
import { readRecords, textOf } from './records.ts'
import { countOf, parsePlace, parseTime } from './source-code.ts'
import { HISTORY } from './sources.ts'

/** Scans by day, by the address of a code: `go.acme.com/sale`, or the slug alone where the file names no host. */
export type History = ReadonlyMap<string, ReadonlyMap<string, number>>

interface ReadHistory {
  history: History
  /** Rows without an address or a time. */
  skipped: number[]
}

/** Reads a file with a row for each day, or for each scan. */
export function readHistory(text: string): ReadHistory {
  const history = new Map<string, Map<string, number>>()
  const skipped: number[] = []
  for (const record of readRecords(text)) {
    const link = textOf(record, HISTORY.link)
    const slug = textOf(record, HISTORY.slug)
    const host = textOf(record, HISTORY.domain)?.toLowerCase() ?? null
    const place = link === undefined ? (slug === undefined ? undefined : { host, slug }) : parsePlace(link)
    const ms = parseTime(textOf(record, HISTORY.day))
    if (place === undefined || ms === undefined) {
      skipped.push(record.row)
      continue
    }
    const key = placeKey(place)
    const days = history.get(key) ?? new Map<string, number>()
    history.set(key, days)
    const day = timestamp(ms).slice(0, 10)
    const sent = textOf(record, HISTORY.scans)
    days.set(day, (days.get(day) ?? 0) + (sent === undefined ? 1 : countOf(sent)))
  }
  return { history, skipped }
}

export const placeKey = ({ host, slug }: { host: string | null; slug: string }): string =>
  host === null ? slug : `${host}/${slug}`

/** The days of a code, by its address or, if the file names no hosts, by its slug. */
export const daysOf = (history: History, place: { host: string | null; slug: string }) =>
  history.get(placeKey(place)) ?? history.get(place.slug)
