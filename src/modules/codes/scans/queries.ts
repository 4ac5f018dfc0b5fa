import { type SqlBool, sql } from 'kysely'
import { columnsExcept, compiled, type Db, type Row, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** What only reports ask for. */
const FOR_REPORTS = ['group_id', 'domain', 'via'] as const

/** Lists, responses and events have no use for `org_id`, and must not have `visitor`. */
const SELECTED = columnsExcept('scans', 'org_id', 'visitor', ...FOR_REPORTS)
export type ScanRow = Row<'scans', typeof SELECTED>

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

/** The codes that belong to an object. */
const inRangeOfObject = compiled(
  (db: Db, orgId: OrgId, objectId: string, from: string, before: string, limit: number) =>
    db
      .selectFrom('scans')
      .select(SELECTED)
      // Must be a literal, or the planner does not use the partial index.
      .where(sql<SqlBool>`target_kind = 'qr_code' and object_id is not null`)
      .where('org_id', '=', orgId)
      .where(sql<SqlBool>`(object_id, id) >= (${objectId}, ${from})`)
      .where(sql<SqlBool>`(object_id, id) < (${objectId}, ${before})`)
      .orderBy('object_id', 'desc')
      .orderBy('id', 'desc')
      .limit(limit),
)

/** The scans of an object itself and of the codes that belong to it, newest first. */
export async function selectScansOfObject(
  db: Db,
  orgId: OrgId,
  objectId: string,
  { from, before }: IdRange,
  limit: number,
): Promise<ScanRow[]> {
  const ranges = await Promise.all([
    inRangeOfTarget(db, orgId, objectId, from, before, limit),
    inRangeOfObject(db, orgId, objectId, from, before, limit),
  ])
  return ranges
    .flat()
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, limit)
}

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

/** The counter of a target, and how many of these scans are part of it. In one statement, so that they fit together. */
export const countScansOf = async (
  db: Db,
  orgId: OrgId,
  targetId: string,
  scanIds: readonly string[],
): Promise<{ total: number; stored: number }> => {
  const stored =
    scanIds.length === 0
      ? sql<number>`0`
      : sql<number>`(select count(*) from scans where org_id = ${orgId} and id in (${sql.join([...scanIds])}))`
  const row = await db
    .selectFrom('scan_totals')
    .select(['total_scans', stored.as('stored')])
    .where('org_id', '=', orgId)
    .where('target_id', '=', targetId)
    .executeTakeFirst()
  return { total: Number(row?.total_scans ?? 0), stored: Number(row?.stored ?? 0) }
}

/** Keeps the salt that is stored already: the first process of the day decides. */
export const insertSalt = async (tx: Tx, row: Row<'visitor_salts'>): Promise<void> => {
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
  scan_totals: 'scans are counted again after a restore',
  visitor_salts: 'each is used for one day and then deleted',
}
