import type { Row } from '../../../platform/db/index.ts'
import { SCAN_COLUMNS } from './insert-queries.ts'

/** Columns that scans got later. Those of an older release lack them. */
type LaterColumn =
  | ('group_id' | 'object_id' | 'domain' | 'via')
  | ('rule_id' | 'rules_version' | 'variant' | 'destination_version' | 'reason')

/** A scan as it is stored. What is null may be left out. */
export type StoredScan = Omit<Row<'scans'>, LaterColumn> & Partial<Pick<Row<'scans'>, LaterColumn>>

export interface RecordedScan {
  row: StoredScan
  /** Whether storing the scan emits its event. */
  announced: boolean
}

/**
 * Scans as they wait in the journal:
 * - `[[…], …]`: arrays of values, in the order of the columns
 * - `{"announced": [[…], …]}`: the same, of scans that emit their events
 * - `{"row": {…}, "announced": false}`: one scan, as older releases wrote it
 */
export interface ScanText {
  /** The number of columns that the release knew which wrote it. */
  version: number
  json: string
}

/** Rises with every column that is added, so that an older release leaves the texts of a newer one alone. */
export const SCAN_VERSION = SCAN_COLUMNS.length

export const ofThisVersion = (json: string): ScanText => ({ version: SCAN_VERSION, json })

/** No rules decided. On SQLite it also says that the fold counts the scan, and not the trigger (migration 0081). */
const DEFAULTS = SCAN_COLUMNS.map((name) => (name === 'rules_version' ? 0 : null))

export const toValues = (row: StoredScan): unknown[] => SCAN_COLUMNS.map((name, index) => row[name] ?? DEFAULTS[index])

export function toScanTexts(scans: readonly RecordedScan[]): string[] {
  const [plain, announced] = [[] as unknown[][], [] as unknown[][]]
  for (const scan of scans) (scan.announced ? announced : plain).push(toValues(scan.row))
  const texts: string[] = []
  if (plain.length > 0) texts.push(JSON.stringify(plain))
  if (announced.length > 0) texts.push(JSON.stringify({ announced }))
  return texts
}

/** Whether its values can be stored as they are. */
export const isPlain = ({ version, json }: ScanText): boolean => version === SCAN_VERSION && json.startsWith('[')

/** Columns that an older release did not know are null. */
export function parseScanText({ json }: Pick<ScanText, 'json'>): RecordedScan[] {
  const parsed: unknown[][] | { announced: unknown[][] } | RecordedScan = JSON.parse(json)
  if ('row' in parsed) return [parsed]
  const isAnnounced = !Array.isArray(parsed)
  return (isAnnounced ? parsed.announced : parsed).map((values) => ({ row: toRow(values), announced: isAnnounced }))
}

export const splitScanText = (json: string): string[] => parseScanText({ json }).flatMap((scan) => toScanTexts([scan]))

const toRow = (values: readonly unknown[]): StoredScan =>
  Object.fromEntries(SCAN_COLUMNS.map((name, index) => [name, values[index] ?? null])) as unknown as StoredScan

export const joinArrays = (texts: readonly string[]): string => {
  const [only] = texts
  return texts.length === 1 && only !== undefined ? only : `[${texts.map((text) => text.slice(1, -1)).join()}]`
}
