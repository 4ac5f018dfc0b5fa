import type { z } from 'zod'
import { type Timestamp, toMs } from '../../../platform/clock/index.ts'
import type { CursorPage, Position } from '../../../platform/contract/pagination.ts'
import type { Database, Db, Row } from '../../../platform/db/index.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import { firstIdAt, type OrgId } from '../../../platform/ids/index.ts'
import { emitAll } from '../../../platform/outbox/index.ts'
import type { Scan, ScanQuery } from './contract.ts'
import { scanEvents } from './events.ts'
import { insertScans, insertScansAlone, type ScanRow, selectScans } from './queries.ts'

type Query = z.output<typeof ScanQuery>
export type StoredScan = Row<'scans'>

/** The scans of one target, or of the whole organisation without a target id. */
export function listScans(
  ctx: Context,
  targetId: string | undefined,
  { from, to, ...query }: Query,
  after: Position | undefined,
): Promise<CursorPage<Scan>> {
  const end = firstIdAt(to === undefined ? Number.MAX_SAFE_INTEGER : toMs(to))
  const range = {
    from: firstIdAt(from === undefined ? 0 : toMs(from)),
    before: after !== undefined && after.id < end ? after.id : end,
  }
  return cursorPage<ScanRow & Position, Scan>(
    query,
    async (limit) => (await selectScans(ctx.read, ctx.orgId, targetId, range, limit)).map(withPosition),
    toScan,
  )
}

interface ListInput {
  params: { id: string }
  query: Query
  after: Position | undefined
}

/** The handlers of `scanOperations`, for one kind of target. */
export const scanHandlers = (requireTarget: (db: Db, orgId: OrgId, ref: string) => Promise<{ id: string }>) => ({
  listScans: async (ctx: Context, { params, query, after }: ListInput): Promise<CursorPage<Scan>> =>
    listScans(ctx, (await requireTarget(ctx.read, ctx.orgId, params.id)).id, query, after),
})

export interface RecordedScan {
  row: StoredScan
  /** Whether storing the scan emits its event. */
  announced: boolean
}

/** Stores each scan once, even if it is passed again later, and emits the events of the announced ones. */
export function storeScans(database: Database, scans: readonly RecordedScan[], now: Timestamp): Promise<void> {
  const rows = scans.map(({ row }) => row)
  const announced = scans.filter((scan) => scan.announced)
  if (announced.length === 0) return insertScansAlone(database, rows)
  return database.write(async (tx) => {
    const stored = new Set(await insertScans(tx, rows))
    const happened = announced.filter(({ row }) => stored.has(row.id)).map(({ row }) => toEvent(row))
    await emitAll(tx, scanEvents, happened, now)
  })
}

export const scannedEvent = (kind: StoredScan['target_kind']): keyof typeof scanEvents => `${kind}.scanned`

const toEvent = (row: StoredScan) => ({
  orgId: row.org_id,
  type: scannedEvent(row.target_kind),
  payload: toScan(row),
})

const withPosition = (row: ScanRow): ScanRow & Position => ({ ...row, created_at: row.scanned_at })

function toScan(row: ScanRow): Scan {
  const idOf = (kind: ScanRow['target_kind']) => (row.target_kind === kind ? row.target_id : null)
  const { id, scanned_at, user_agent, is_bot, country, region, city, referrer } = row
  return {
    object: 'scan',
    id,
    qr_code_id: idOf('qr_code'),
    object_id: idOf('object'),
    product_id: idOf('product'),
    scanned_at,
    user_agent,
    device: { type: row.device_type, os: row.device_os, browser: row.device_browser },
    is_bot,
    destination: { type: row.destination_type, id: row.destination_id, url: row.destination_url },
    query_params: row.query_params as Scan['query_params'],
    location: { country, region, city },
    gs1: (row.gs1 as Scan['gs1'] | null) ?? { cpv: null, lot: null, serial: null },
    referrer,
  }
}
