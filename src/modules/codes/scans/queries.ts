import { type SqlBool, sql } from 'kysely'
import {
  compiled,
  type Database,
  type Db,
  insertMissingRows,
  insertMissingRowsAlone,
  type Tx,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export interface ScansTable {
  org_id: string
  /** Starts with the time of the scan, so that ids sort by time. */
  id: string
  target_kind: 'qr_code' | 'object' | 'product'
  target_id: string
  scanned_at: string
  is_bot: boolean
  /** Distinguishes visitors within one day without identifying them. */
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

/** Every column of a stored scan. */
export const SCAN_COLUMNS = [
  'org_id',
  'id',
  'target_kind',
  'target_id',
  'scanned_at',
  'is_bot',
  'visitor',
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
] as const satisfies readonly (keyof ScansTable)[]

/** Lists, responses and events have no use for `org_id`, and must not have `visitor`. */
const SELECTED = SCAN_COLUMNS.filter((column) => column !== 'org_id' && column !== 'visitor')
export type ScanRow = Pick<ScansTable, (typeof SELECTED)[number]>

/** One salt per day, shared by all processes. */
interface VisitorSaltsTable {
  day: string
  salt: string
  created_at: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    scans: ScansTable
    visitor_salts: VisitorSaltsTable
  }
}

/** `from` is inclusive, `before` exclusive. */
export interface IdRange {
  from: string
  before: string
}

const inRange = compiled((db: Db, orgId: OrgId, from: string, before: string, limit: number) =>
  db
    .selectFrom('scans')
    .select(SELECTED)
    .where('org_id', '=', orgId)
    .where('id', '>=', from)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit),
)

/**
 * A range of `scans_target_idx`. With `target_id = …`, the primary key has the same order, and SQLite prefers it: for a
 * code with few scans, it would read all scans of the organisation.
 */
const inRangeOfTarget = compiled(
  (db: Db, orgId: OrgId, targetId: string, from: string, before: string, limit: number) =>
    db
      .selectFrom('scans')
      .select(SELECTED)
      .where('org_id', '=', orgId)
      .where(sql<SqlBool>`(target_id, id) >= (${targetId}, ${from})`)
      .where(sql<SqlBool>`(target_id, id) < (${targetId}, ${before})`)
      .orderBy('target_id', 'desc')
      .orderBy('id', 'desc')
      .limit(limit),
)

/** Newest first; of one target, or of the whole organisation without a target id. */
export const selectScans = (
  db: Db,
  orgId: OrgId,
  targetId: string | undefined,
  { from, before }: IdRange,
  limit: number,
): Promise<ScanRow[]> =>
  targetId === undefined
    ? inRange(db, orgId, from, before, limit)
    : inRangeOfTarget(db, orgId, targetId, from, before, limit)

/** Returns the ids of the scans that were not stored before. */
export const insertScans = (tx: Tx, rows: readonly ScansTable[]): Promise<string[]> =>
  insertMissingRows(tx, 'scans', SCAN_COLUMNS, rows)

export const insertScansAlone = (database: Database, rows: readonly ScansTable[]): Promise<void> =>
  insertMissingRowsAlone(database, 'scans', SCAN_COLUMNS, rows)

/** Keeps the salt that is stored already: the first process of the day decides. */
export const insertSalt = async (tx: Tx, row: VisitorSaltsTable): Promise<void> => {
  await tx
    .insertInto('visitor_salts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const selectSalt = (db: Db, day: string): Promise<{ salt: string } | undefined> =>
  db.selectFrom('visitor_salts').select('salt').where('day', '=', day).executeTakeFirst()

/** Not part of a backup. */
export const SCAN_TABLES_LEFT_OUT = {
  scan_totals: 'triggers count the scans again during a restore',
  visitor_salts: 'each is used for one day and then deleted',
}
