import { noteChange } from '../../../platform/audit/index.ts'
import { DAY_MS, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import { announce, type Db, lockRows, type Tx } from '../../../platform/db/index.ts'
import { ApiError, invalidPayload, unprocessable } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { requireDestination } from '../destinations/index.ts'
import { checkRules, requireRuleDestinations, toRuleList } from '../rules/index.ts'
import {
  countVersions,
  deleteVersion,
  findRules,
  firstVersion,
  insertScheduled,
  type Owner,
  type OwnerRow,
  type OwnerState,
  type ScheduledState,
  selectVersion,
  selectVersionAt,
  selectVersionBefore,
  selectVersions,
  stateChanges,
  stateOf,
  storeRules,
  toState,
  type VersionRow,
} from '../versions/index.ts'
import type { Version, VersionSchedule, VersionSummary } from './contract.ts'
import { applyChange, Shown } from './shown.ts'

/** Scans read all of them. */
const SCHEDULED_MAX = 10
const AHEAD_MS_MAX = 3653 * DAY_MS

/** Announced with an organisation, when it has a new version of the future, or one less. */
export const SCHEDULES_TOPIC = 'scheduled_versions'

interface Place {
  params: { id: string; version: number }
}

/** The handlers of `historyOperations`, for one kind of owner. */
export const historyHandlers = <Row extends OwnerRow>(
  ownerFor: (ctx: Context) => Owner<Row> | Promise<Owner<Row>>,
) => ({
  listVersions: async (ctx: Context, { params, query }: { params: { id: string }; query: OffsetQuery }) =>
    listVersions(ctx, await ownerFor(ctx), params.id, query),
  scheduleVersion: async (ctx: Context, { params, body }: { params: { id: string }; body: VersionSchedule }) =>
    scheduleVersion(ctx, await ownerFor(ctx), params.id, body),
  getVersion: async (ctx: Context, { params }: Place) =>
    getVersion(ctx.read, ctx.orgId, await ownerFor(ctx), params.id, params.version),
  restoreVersion: async (ctx: Context, { params }: Place) =>
    restoreVersion(ctx, await ownerFor(ctx), params.id, params.version),
  deleteVersion: async (ctx: Context, { params }: Place) =>
    cancelVersion(ctx, await ownerFor(ctx), params.id, params.version),
})

async function listVersions<Row extends OwnerRow>(
  ctx: Context,
  owner: Owner<Row>,
  ref: string,
  { page, page_size }: OffsetQuery,
): Promise<OffsetPage<VersionSummary>> {
  const row = await owner.require(ctx.read, ctx.orgId, ref)
  const total = await countVersions(ctx.read, ctx.orgId, row.id)
  if (total === 0) {
    const only = new Shown(owner, row, []).summarise(firstOf(owner, row), null)
    return { data: page === 1 ? [only] : [], total: 1 }
  }
  const shown = await Shown.load(ctx.read, ctx.orgId, owner, row)
  // One more than asked for: a version is described by its difference to the one before.
  const rows = await selectVersions(ctx.read, ctx.orgId, row.id, page_size + 1, (page - 1) * page_size)
  return { data: rows.slice(0, page_size).map((each, at) => shown.summarise(each, rows[at + 1] ?? null)), total }
}

async function getVersion<Row extends OwnerRow>(
  db: Db,
  orgId: OrgId,
  owner: Owner<Row>,
  ref: string,
  number: number,
): Promise<Version> {
  const row = await owner.require(db, orgId, ref)
  return describeVersion(db, orgId, owner, row, await requireVersion(db, orgId, owner, row, number))
}

async function describeVersion<Row extends OwnerRow>(
  db: Db,
  orgId: OrgId,
  owner: Owner<Row>,
  row: Row,
  version: VersionRow,
): Promise<Version> {
  const shown = await Shown.load(db, orgId, owner, row)
  const before = version.state === null ? null : await selectVersionBefore(db, orgId, row.id, version)
  const summary = shown.summarise(version, before ?? null)
  const { rules_version } = summary.state
  const kept = rules_version === null ? undefined : await findRules(db, orgId, row.id, rules_version)
  return {
    ...summary,
    rules: kept === undefined ? null : { ...kept.document, rules: toRuleList(kept.document) },
  }
}

/** The version of an owner that has never changed is not stored. */
async function requireVersion<Row extends OwnerRow>(
  db: Db,
  orgId: OrgId,
  owner: Owner<Row>,
  row: Row,
  number: number,
): Promise<VersionRow> {
  const found = await selectVersion(db, orgId, row.id, number)
  if (found !== undefined) return found
  const first = firstOf(owner, row)
  if (number === first.version && (await countVersions(db, orgId, row.id)) === 0) return first
  throw new ApiError('not_found', `There is no version ${number}. GET …/history lists those that exist.`)
}

const firstOf = <Row extends OwnerRow>(owner: Owner<Row>, row: Row): VersionRow =>
  firstVersion(owner.kind, { ...owner.toSource(row), created_at: row.created_at })

function restoreVersion<Row extends OwnerRow>(
  ctx: Context,
  owner: Owner<Row>,
  ref: string,
  number: number,
): Promise<Version> {
  return ctx.write(async (tx) => {
    const row = await owner.lock(tx, ctx.orgId, ref)
    const state = toState(await requireVersion(tx, ctx.orgId, owner, row, number))
    if (state === null) throw unprocessable('version', number, 'this version is not in effect yet')
    await requireWhole(tx, ctx.orgId, row.id, state)
    const after = owner.withState(row, state)
    const changes = stateChanges(owner, row, after)
    if (Object.keys(changes).length > 0) await owner.change(tx, ctx, { before: row, after }, changes, 'restored')
    const newest = await owner.require(tx, ctx.orgId, row.id)
    const current = await selectVersionAt(tx, ctx.orgId, row.id, ctx.now)
    return describeVersion(tx, ctx.orgId, owner, newest, current ?? firstOf(owner, newest))
  })
}

/** Throws 422 if something that a state needs was deleted. */
async function requireWhole(tx: Tx, orgId: OrgId, ownerId: string, state: OwnerState): Promise<void> {
  await requireDestination(tx, orgId, state)
  const parents = { group_id: 'qr_groups', object_id: 'objects' } as const
  for (const [field, table] of Object.entries(parents) as [keyof typeof parents, 'qr_groups' | 'objects'][]) {
    const id = state[field]
    if (id === null || (await lockRows(tx, orgId, table, [id], 'reference')).has(id)) continue
    throw unprocessable(field, id, `this ${field === 'group_id' ? 'QR group' : 'object'} was deleted`)
  }
  if (state.rules_version === null) return
  const rules = await findRules(tx, orgId, ownerId, state.rules_version)
  if (rules === undefined) throw unprocessable('rules_version', state.rules_version, 'these rules were not kept')
  await requireRuleDestinations(tx, orgId, rules.document)
}

async function scheduleVersion<Row extends OwnerRow>(
  ctx: Context,
  owner: Owner<Row>,
  ref: string,
  input: VersionSchedule,
): Promise<Version> {
  const aheadMs = toMs(input.effective_at) - toMs(ctx.now)
  if (aheadMs <= 0) throw invalidPayload({ effective_at: ['Must be in the future'] })
  if (aheadMs > AHEAD_MS_MAX) throw invalidPayload({ effective_at: ['Must be at most ten years from now'] })
  await owner.require(ctx.read, ctx.orgId, ref)
  const rules = input.rules == null ? input.rules : await checkRules(ctx.read, ctx, input.rules)
  return ctx.write(async (tx) => {
    const row = await owner.lock(tx, ctx.orgId, ref)
    if (row.scheduled_count >= SCHEDULED_MAX)
      throw new ApiError('unprocessable', `There can be at most ${SCHEDULED_MAX} scheduled versions. Cancel one first.`)
    await requireDestination(tx, ctx.orgId, input)
    const change: ScheduledState = {
      ...(input.destination !== undefined && { destination: input.destination }),
      ...(input.status !== undefined && { status: input.status }),
      ...(rules !== undefined && { rules_version: rules && (await storeRules(tx, ctx, row, rules)) }),
    }
    const source = { ...owner.toSource(row), created_at: row.created_at }
    const effectiveAt = timestamp(toMs(input.effective_at))
    const version = await insertScheduled(tx, ctx, owner.kind, source, { effectiveAt, change })
    const after = { ...row, scheduled_count: row.scheduled_count + 1 }
    await owner.store(tx, ctx, after)
    await announce(tx, SCHEDULES_TOPIC, [ctx.orgId])
    noteChange(tx, `${owner.kind}.scheduled`, { type: owner.kind, id: row.id }, () => ({
      effective_at: { from: null, to: effectiveAt },
    }))
    return describeVersion(tx, ctx.orgId, owner, after, version)
  })
}

function cancelVersion<Row extends OwnerRow>(
  ctx: Context,
  owner: Owner<Row>,
  ref: string,
  number: number,
): Promise<void> {
  return ctx.write(async (tx) => {
    const row = await owner.lock(tx, ctx.orgId, ref)
    const { id, state, effective_at } = await requireVersion(tx, ctx.orgId, owner, row, number)
    if (state !== null) throw unprocessable('version', number, 'only scheduled versions can be cancelled')
    await deleteVersion(tx, ctx.orgId, id)
    await owner.store(tx, ctx, { ...row, scheduled_count: row.scheduled_count - 1 })
    await announce(tx, SCHEDULES_TOPIC, [ctx.orgId])
    noteChange(tx, `${owner.kind}.unscheduled`, { type: owner.kind, id: row.id }, () => ({
      effective_at: { from: effective_at, to: null },
    }))
  })
}

/** Lets a scheduled version become effective, whose time has come. The owner is locked. */
export async function applyVersion<Row extends OwnerRow>(
  tx: Tx,
  ctx: Context,
  owner: Owner<Row>,
  row: Row,
  version: VersionRow,
): Promise<void> {
  const state = applyChange(stateOf(owner.toSource(row)), version.change as ScheduledState)
  const after = { ...owner.withState(row, state), scheduled_count: row.scheduled_count - 1 }
  await owner.change(tx, ctx, { before: row, after }, stateChanges(owner, row, after), { scheduled: version })
}
