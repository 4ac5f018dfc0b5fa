import type { Position } from '../../../platform/contract/pagination.ts'
import {
  type Database,
  type Db,
  insertMissingRows,
  insertMissingRowsAlone,
  type Tx,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export interface ScansTable {
  org_id: string
  /** Begins with the moment of the scan, so that ids sort by time. */
  id: string
  target_kind: 'qr_code' | 'object' | 'product'
  target_id: string
  scanned_at: string
  is_bot: boolean
  /** Tells visitors of one day apart without telling who they are. */
  visitor: string
  user_agent: string | null
  device_type: string | null
  device_os: string | null
  device_browser: string | null
  destination_type: string | null
  destination_id: string | null
  destination_url: string | null
  query_params: unknown
  country: string | null
  region: string | null
  city: string | null
  gs1: unknown
  referrer: string | null
}

/** Kept by triggers: one row for everything that can be scanned. */
interface ScanTotalsTable {
  target_id: string
  org_id: string
  kind: string
  archived: boolean
  total_scans: number
  last_scanned_at: string | null
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    scans: ScansTable
    scan_totals: ScanTotalsTable
  }
}

const COLUMNS = [
  'id',
  'target_kind',
  'target_id',
  'scanned_at',
  'is_bot',
  'user_agent',
  'device_type',
  'device_os',
  'device_browser',
  'destination_type',
  'destination_id',
  'destination_url',
  'query_params',
  'country',
  'region',
  'city',
  'gs1',
  'referrer',
] as const
export type ScanRow = Pick<ScansTable, (typeof COLUMNS)[number]>

/** The ids between which a list lies; the first is in it, the second is not. */
export interface IdRange {
  from: string | undefined
  before: string | undefined
}

/** Newest first, from a position on: of one target, or of the whole organisation. */
export const selectScans = (
  db: Db,
  orgId: OrgId,
  targetId: string | undefined,
  { from, before }: IdRange,
  after: Position | undefined,
  limit: number,
): Promise<ScanRow[]> =>
  db
    .selectFrom('scans')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .$if(targetId !== undefined, (query) => query.where('target_id', '=', targetId as string))
    .$if(from !== undefined, (query) => query.where('id', '>=', from as string))
    .$if(before !== undefined, (query) => query.where('id', '<', before as string))
    .$if(after !== undefined, (query) => query.where('id', '<', (after as Position).id))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Answers the ids of those that were not stored before. */
export const insertScans = (tx: Tx, rows: readonly ScansTable[]): Promise<string[]> =>
  insertMissingRows(tx, 'scans', rows)

export const insertScansAlone = (database: Database, rows: readonly ScansTable[]): Promise<void> =>
  insertMissingRowsAlone(database, 'scans', rows)

/** One for each day; the same for every process. */
interface VisitorSaltsTable {
  day: string
  salt: string
  created_at: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    visitor_salts: VisitorSaltsTable
  }
}

/** Whoever is first that day makes the salt. */
export const insertSalt = async (tx: Tx, row: VisitorSaltsTable): Promise<void> => {
  await tx
    .insertInto('visitor_salts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const selectSalt = (db: Db, day: string): Promise<{ salt: string } | undefined> =>
  db.selectFrom('visitor_salts').select('salt').where('day', '=', day).executeTakeFirst()
