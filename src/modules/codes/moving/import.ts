import { toMs } from '../../../platform/clock/index.ts'
import { batchesOf } from '../../../platform/db/index.ts'
import { ApiError, type ValidationDetails } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { type CodeSettings, findImported, importCodes, parseCode, type QrCodeCreate } from '../qr-codes/index.ts'
import { type History, keysOf } from './history.ts'
import { type ImportedDay, replaceDays } from './queries.ts'
import { readRecords } from './records.ts'
import { type RowProblem, type SourceCode, toSourceCodes } from './source-code.ts'
import { SOURCES, type SourceName } from './sources.ts'
import { parsePlace, placeKey } from './values.ts'

/** A host that codes can be moved to. */
export interface Destination {
  /** Null is the host of the service. */
  domainId: string | null
  host: string
}

export interface ImportOptions extends CodeSettings {
  source: SourceName
  text: string
  /** By the host in the addresses of the export. */
  destinations: ReadonlyMap<string, Destination>
  /** Where codes go whose address has no host. */
  destination: Destination
  history: History
  onImported: (name: string, count: number) => void
}

export interface ImportSummary {
  rows: number
  created: number
  updated: number
  unchanged: number
  /** Codes with a history of days. */
  with_history: number
  failed: number
  problems: RowProblem[]
  /** What is different here. The last ones are about rows of the history. */
  notes: RowNote[]
}

interface RowNote {
  row: number
  address: string
  note: string
}

/** Small, so that requests and scans do not wait for long. */
const BATCH_CODES = 100
const BATCH_DAYS = 1000

interface Item {
  code: SourceCode
  input: QrCodeCreate
}

/**
 * Moves the codes of another service here. Can be repeated: new codes are added, the counters of those that are here are
 * brought up to date, and nothing else of them is touched, because they belong to their organisation from then on.
 */
export async function importForeignCodes(context: () => Context, options: ImportOptions): Promise<ImportSummary> {
  const { source, text, history, destination, onImported } = options
  const nowMs = toMs(context().now)
  const summary: ImportSummary = {
    ...{ rows: 0, created: 0, updated: 0, unchanged: 0, with_history: 0, failed: 0 },
    problems: [],
    notes: [],
  }
  const refuse = (problem: RowProblem) => {
    summary.failed++
    summary.problems.push(problem)
  }
  const items: Item[] = []
  const seen = new Map<string, number>()
  /** The keys by which the history may name the codes of the export, also those that are left out. */
  const keys = new Set<string>()
  for (const record of readRecords(text)) {
    summary.rows++
    for (const read of toSourceCodes(record, SOURCES[source], nowMs)) {
      const place = 'problem' in read ? parsePlace(read.address) : read
      for (const key of keysOf(place, destination.host)) keys.add(key)
      const item = 'problem' in read ? read : toItem(read, options, seen)
      if ('problem' in item) refuse(item)
      else items.push(item)
    }
  }
  let done = 0
  for (const batch of batchesOf(items, BATCH_CODES)) {
    const ctx = context()
    const known = await findImported(
      ctx.read,
      ctx.orgId,
      batch.map(({ input }) => input.external_id as string),
    )
    const inputs = batch.map(({ input }) => (known.has(input.external_id as string) ? onlyCounters(input) : input))
    const { data } = await importCodes(ctx, inputs, options)
    const days: ImportedDay[] = []
    for (const { index, id, result, error } of data) {
      const { code } = batch[index] as Item
      if (error !== null) refuse(explain(code, error))
      else {
        if (result !== 'error') summary[result]++
        const address = placeKey(code)
        if (result === 'created') for (const note of code.notes) summary.notes.push({ row: code.row, address, note })
        const key = keysOf(code, destination.host).find((one) => history.has(one))
        if (key !== undefined) summary.with_history++
        for (const [day, scans] of history.get(key ?? '')?.days ?? [])
          days.push({ target_id: id as string, day, scans })
      }
      onImported(placeKey(code), ++done)
    }
    await storeDays(context, days)
  }
  summary.problems.sort((one, other) => one.row - other.row)
  summary.notes.push(...notesOfUnknown(history, keys))
  return summary
}

function notesOfUnknown(history: History, keys: ReadonlySet<string>): RowNote[] {
  const note =
    'no code of the export has this address, so its rows of the history are left out. This is the first of them'
  return [...history].flatMap(([address, { row }]) => (keys.has(address) ? [] : [{ row, address, note }]))
}

/** The days of one code stay together. */
async function storeDays(context: () => Context, days: readonly ImportedDay[]): Promise<void> {
  let some: ImportedDay[] = []
  const store = async () => {
    const { orgId, write } = context()
    if (some.length > 0) await write((tx) => replaceDays(tx, orgId, some))
    some = []
  }
  for (const ofCode of Map.groupBy(days, ({ target_id }) => target_id).values()) {
    some.push(...ofCode)
    if (some.length >= BATCH_DAYS) await store()
  }
  await store()
}

function toItem(code: SourceCode, options: ImportOptions, seen: Map<string, number>): Item | RowProblem {
  const { source, destinations, destination } = options
  const { row, host, slug, target, name, description, tags, scans, createdAt, isStopped, isArchived } = code
  const refuse = (problem: string, advice: string): RowProblem => ({ row, address: placeKey(code), problem, advice })
  const to = host === null ? destination : destinations.get(host)
  if (to === undefined)
    return refuse(
      `nothing is moved from ${host}`,
      `Connect ${host} as a custom domain if it is yours, and name it with --domain. What is printed with an address of somebody else cannot be moved.`,
    )
  const before = seen.get(`${to.host}/${slug}`)
  if (before !== undefined)
    return refuse(`row ${before} has the same address`, 'Keep the row that is right, and remove the other one.')
  seen.set(`${to.host}/${slug}`, row)
  const properties = [
    ...(tags.length > 0 ? [{ key: 'tags', value: [...tags.join(', ')].slice(0, 2000).join('') }] : []),
    ...(isArchived ? [{ key: 'archived', value: 'true' }] : []),
  ]
  const input = {
    external_id: `${to.host}/${slug}`,
    public_slug: slug,
    domain_id: to.domainId,
    name,
    description,
    destination: { url: target },
    ...(isStopped && { status: 'inactive' }),
    ...(properties.length > 0 && { properties }),
    imported: { from: source, ...(scans !== null && { scans }), ...(createdAt !== null && { created_at: createdAt }) },
  }
  try {
    return { code, input: parseCode(input) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return explain(code, error)
  }
}

/** What is here already is changed by nothing but the counter, and by nothing at all if the export has none. */
const onlyCounters = ({ external_id, imported }: QrCodeCreate): QrCodeCreate =>
  imported?.scans === undefined ? { external_id } : { external_id, imported }

const ADVICE: Record<string, string> = {
  public_slug:
    'Print a new code, or leave the old service in place behind `fallback_url` of the domain: it keeps answering this one.',
  destination:
    'Codes lead to http and https addresses. Create a page with what the link did, and a code that leads to it.',
  domain_id: 'Verify the domain first.',
}

/** Says which part of a row is wrong, in words of the row. */
function explain(
  code: SourceCode,
  { details, message }: Pick<ApiError, 'message'> & { details?: unknown },
): RowProblem {
  const { fieldErrors, field } = (details ?? {}) as Partial<ValidationDetails> & { field?: string }
  const [[name, [first = message]] = [field ?? '', [message]]] = Object.entries(fieldErrors ?? {}) as [
    string,
    string[],
  ][]
  const [part = ''] = name.replace(/^items\[\d+\]\./, '').split(/[.[]/, 1)
  const value = part === 'destination' ? ` (${code.target})` : ''
  return {
    row: code.row,
    address: placeKey(code),
    problem: part === '' ? first : `${part}${value}: ${first}`,
    advice: ADVICE[part] ?? 'Correct the row, and import the file again.',
  }
}
