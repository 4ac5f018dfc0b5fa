import type { z } from 'zod'
import { type Timestamp, toMs } from '../../../platform/clock/index.ts'
import type { CursorPage, Position } from '../../../platform/contract/pagination.ts'
import { batchesOf, type Database, type Db, type Tx } from '../../../platform/db/index.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import { firstIdAt, type OrgId } from '../../../platform/ids/index.ts'
import { emitAll } from '../../../platform/outbox/index.ts'
import type { Scan, ScanQuery } from './contract.ts'
import { scanEvents } from './events.ts'
import { insertNewScans, insertScans } from './insert-queries.ts'
import { type ScanRow, selectScans, selectScansOfObject } from './queries.ts'
import {
  isPlain,
  joinArrays,
  ofThisVersion,
  parseScanText,
  type RecordedScan,
  type ScanText,
  type StoredScan,
  toScanTexts,
  toValues,
} from './scan-texts.ts'

type Query = z.output<typeof ScanQuery>

/** The scans of one target, or of the whole organisation without a target id. */
export function listScans(
  ctx: Context,
  target: { kind: StoredScan['target_kind']; id: string } | undefined,
  { from, to, ...query }: Query,
  after: Position | undefined,
): Promise<CursorPage<Scan>> {
  const end = firstIdAt(to === undefined ? Number.MAX_SAFE_INTEGER : toMs(to))
  const range = {
    from: firstIdAt(from === undefined ? 0 : toMs(from)),
    before: after !== undefined && after.id < end ? after.id : end,
  }
  const select = (limit: number) =>
    target?.kind === 'object'
      ? selectScansOfObject(ctx.read, ctx.orgId, target.id, range, limit)
      : selectScans(ctx.read, ctx.orgId, target?.id, range, limit)
  return cursorPage<ScanRow & Position, Scan>(query, async (limit) => (await select(limit)).map(withPosition), toScan)
}

interface ListInput {
  params: { id: string }
  query: Query
  after: Position | undefined
}

/** The handlers of `scanOperations`, for one kind of target. */
export const scanHandlers = (
  kind: StoredScan['target_kind'],
  requireTarget: (db: Db, orgId: OrgId, ref: string) => Promise<{ id: string }>,
) => ({
  listScans: async (ctx: Context, { params, query, after }: ListInput): Promise<CursorPage<Scan>> =>
    listScans(ctx, { kind, id: (await requireTarget(ctx.read, ctx.orgId, params.id)).id }, query, after),
})

/** More events at once would keep the main thread for too long. */
const EVENTS_MAX = 200

/** Stores each scan once, even if it is passed again later, and emits the events of the announced ones. */
export const storeScans = (database: Database, scans: readonly RecordedScan[], now: Timestamp): Promise<void> =>
  database.write((tx) => storeScanTexts(tx, toScanTexts(scans).map(ofThisVersion), now))

/** The same for scans that are JSON texts already. Nearly all are passed on as they are. */
export async function storeScanTexts(tx: Tx, texts: readonly ScanText[], now: Timestamp): Promise<void> {
  const announced = new Map<string, StoredScan>()
  const others: string[] = []
  for (const text of texts) {
    if (isPlain(text)) others.push(text.json)
    else
      for (const { row, announced: isAnnounced } of parseScanText(text)) {
        if (isAnnounced) announced.set(row.id, row)
        else others.push(JSON.stringify([toValues(row)]))
      }
  }
  if (others.length > 0) await insertScans(tx, joinArrays(others))
  for (const rows of batchesOf([...announced.values()], EVENTS_MAX)) {
    const stored = await insertNewScans(tx, JSON.stringify(rows.map(toValues)))
    const happened = rows.filter(({ id }) => stored.has(id))
    await emitAll(tx, scanEvents, happened.map(toEvent), now)
  }
}

export const scannedEvent = (kind: StoredScan['target_kind']): keyof typeof scanEvents => `${kind}.scanned`

/** What scans of older releases lack. */
const NO_DECISION = {
  object_id: null,
  rule_id: null,
  rules_version: null,
  variant: null,
  destination_version: null,
  reason: null,
}

const toEvent = (row: StoredScan) => ({
  orgId: row.org_id,
  type: scannedEvent(row.target_kind),
  payload: toScan({ ...NO_DECISION, ...row }),
})

const withPosition = (row: ScanRow): ScanRow & Position => ({ ...row, created_at: row.scanned_at })

function toDecision({ rule_id, rules_version, variant, reason, destination_type, destination_version }: ScanRow) {
  const decided = variant !== null ? 'split' : rule_id !== null ? 'rule' : destination_type !== null ? 'default' : null
  return {
    reason: reason ?? decided,
    rule_id,
    // 0 is stored if there were no rules.
    rules_version: rules_version || null,
    variant,
    version: destination_version ?? 1,
  } satisfies Scan['decision']
}

function toScan(row: ScanRow): Scan {
  const idOf = (kind: ScanRow['target_kind']) => (row.target_kind === kind ? row.target_id : null)
  const { id, scanned_at, user_agent, is_bot, country, region, city, referrer } = row
  return {
    object: 'scan',
    id,
    qr_code_id: idOf('qr_code'),
    object_id: row.object_id,
    product_id: idOf('product'),
    scanned_at,
    user_agent,
    device: { type: row.device_type, os: row.device_os, browser: row.device_browser },
    is_bot,
    destination: { type: row.destination_type, id: row.destination_id, url: row.destination_url },
    decision: toDecision(row),
    query_params: row.query_params as Scan['query_params'],
    location: { country, region, city },
    gs1: (row.gs1 as Scan['gs1'] | null) ?? { cpv: null, lot: null, serial: null },
    referrer,
  }
}
