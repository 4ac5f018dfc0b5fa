import { timestamp } from '../../../platform/clock/index.ts'
import { readRecords, type SourceRecord, textOf } from './records.ts'
import { HISTORY } from './sources.ts'
import { type Place, parseCount, parsePlace, parseTime, placeKey, trimSlashes } from './values.ts'

interface CodeHistory {
  /** The first row about the code. */
  row: number
  /** Scans by day. */
  days: Map<string, number>
}

/** The keys are addresses of codes: `go.acme.com/sale`, or the slug alone where the file names no host. */
export type History = ReadonlyMap<string, CodeHistory>

interface ReadHistory {
  history: History
  /** Rows without an address, or whose time or number of scans cannot be read. */
  skipped: number[]
}

/** Reads a file with a row for each day, or for each scan. */
export function readHistory(text: string): ReadHistory {
  const history = new Map<string, CodeHistory>()
  const skipped: number[] = []
  for (const record of readRecords(text)) {
    const place = placeOf(record)
    const ms = parseTime(textOf(record, HISTORY.day) ?? '')
    const scans = scansOf(record)
    if (place === undefined || ms === undefined || scans === undefined) {
      skipped.push(record.row)
      continue
    }
    const key = placeKey(place)
    const entry = history.get(key) ?? { row: record.row, days: new Map<string, number>() }
    history.set(key, entry)
    const day = timestamp(ms).slice(0, 10)
    entry.days.set(day, (entry.days.get(day) ?? 0) + scans)
  }
  return { history, skipped }
}

/** A row of a file without counts is one scan. */
function scansOf(record: SourceRecord): number | undefined {
  const isCounted = HISTORY.scans.some((name) => record.values.has(name))
  return isCounted ? parseCount(textOf(record, HISTORY.scans) ?? '') : 1
}

/** The slug says most: a link beside it may be where the code leads, and an id the number of the row. */
function placeOf(record: SourceRecord): Place | undefined {
  const parse = (names: string[]) => parsePlace(textOf(record, names) ?? '')
  const [link, id] = [parse(HISTORY.link), parse(HISTORY.id)]
  const slug = trimSlashes(textOf(record, HISTORY.slug) ?? '')
  const host = textOf(record, HISTORY.domain)?.toLowerCase() ?? (link.slug === slug ? link.host : null)
  if (slug !== '') return { host, slug }
  if (link.slug !== '') return link
  return id.host === null ? undefined : id
}

/** Where the history may have a code: by its whole address or by its slug. */
export const keysOf = ({ host, slug }: Place, defaultHost: string): string[] => [`${host ?? defaultHost}/${slug}`, slug]
