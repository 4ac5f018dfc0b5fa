import { batchesOf, type Db, type Tx } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import type { StoredRulesDocument } from '../rules/contract.ts'
import {
  deleteRulesBelow,
  deleteVersionsBelow,
  insertRules,
  insertVersions,
  type LastVersion,
  type RulesRow,
  selectLastRulesVersion,
  selectLastVersions,
  selectRules,
  selectScheduled,
  updateVersion,
  type VersionRow,
} from './queries.ts'
import {
  isSameState,
  type OwnerKind,
  type OwnerState,
  type ScheduledState,
  stateOf,
  type TargetSource,
} from './state.ts'

/** More are not kept, of versions and of documents of rules: a program could change a code every minute. */
const KEPT_MAX = 1000
/** How often the oldest are deleted. */
const TRIM_EVERY = 100
const OWNERS_PER_QUERY = 1000

/** Who changes something, and when. */
type Change = Pick<Context, 'orgId' | 'actor' | 'now'>

/** Why there is a new version. One that was scheduled exists already. */
export type Cause = 'changed' | 'restored' | { scheduled: VersionRow }

/** An owner before and after a change. */
export interface ChangedOwner<Row> {
  before: Row & { created_at: string }
  after: Row
}

/**
 * Notes a version of every owner that leads somewhere else from now on. Call it in the transaction of the change, before the
 * rows are written: `after` is returned with the number of its version. An owner that changes for the first time also gets
 * the version that it was created with.
 */
export async function recordVersions<Source extends TargetSource>(
  tx: Tx,
  { orgId, actor, now }: Change,
  kind: OwnerKind,
  changed: readonly ChangedOwner<Source>[],
  cause: Cause = 'changed',
): Promise<Source[]> {
  if (typeof cause === 'object') return becomeEffective(tx, orgId, changed, cause.scheduled)
  const moved = changed.filter(({ before, after }) => !isSameState(before, after))
  if (moved.length === 0) return changed.map(({ after }) => after)
  const last = new Map<string, LastVersion>()
  for (const some of batchesOf(moved, OWNERS_PER_QUERY)) {
    const ids = some.map(({ after }) => after.id)
    for (const [id, version] of await selectLastVersions(tx, orgId, ids)) last.set(id, version)
  }
  const numbers = new Map(moved.map(({ before: { id, version } }) => [id, (last.get(id)?.version ?? version) + 1]))
  const rows = moved.flatMap(({ before, after }) => [
    ...(last.has(before.id) ? [] : [firstVersion(kind, before)]),
    {
      ...newVersion({ orgId, actor, now }, kind, after.id, numbers.get(after.id) as number),
      cause,
      effective_at: laterOf(now, last.get(after.id)?.effectiveAt),
      state: { ...stateOf(after) },
      change: null,
    },
  ])
  await insertVersions(tx, orgId, rows)
  for (const [id, number] of numbers) await trimVersions(tx, orgId, id, number)
  return changed.map(({ after }) => ({ ...after, version: numbers.get(after.id) ?? after.version }))
}

async function becomeEffective<Source extends TargetSource>(
  tx: Tx,
  orgId: OrgId,
  changed: readonly ChangedOwner<Source>[],
  { id, version }: VersionRow,
): Promise<Source[]> {
  const [{ after }] = changed as [ChangedOwner<Source>]
  await updateVersion(tx, orgId, id, { state: { ...stateOf(after) } })
  return [{ ...after, version }]
}

/** The same for one owner. */
export async function recordVersion<Source extends TargetSource>(
  tx: Tx,
  change: Change,
  kind: OwnerKind,
  changed: ChangedOwner<Source>,
  cause?: Cause,
): Promise<Source> {
  const [after] = await recordVersions(tx, change, kind, [changed], cause)
  return after as Source
}

/** What an owner was created with. Nobody noted who created it: as long as it does not change, it has no versions. */
export const firstVersion = (kind: OwnerKind, source: TargetSource & { created_at: string }): VersionRow => ({
  id: newId(),
  owner_kind: kind,
  owner_id: source.id,
  version: source.version,
  cause: 'created',
  actor_kind: null,
  actor_id: null,
  actor_name: null,
  effective_at: source.created_at,
  created_at: source.created_at,
  state: { ...stateOf(source) },
  change: null,
})

/** Adds a version of the future. Returns its number. */
export async function insertScheduled(
  tx: Tx,
  { orgId, actor, now }: Change,
  kind: OwnerKind,
  source: TargetSource & { created_at: string },
  { effectiveAt, change }: { effectiveAt: string; change: ScheduledState },
): Promise<VersionRow> {
  const last = (await selectLastVersions(tx, orgId, [source.id])).get(source.id)
  const row: VersionRow = {
    ...newVersion({ orgId, actor, now }, kind, source.id, (last?.version ?? source.version) + 1),
    cause: 'scheduled',
    effective_at: effectiveAt,
    state: null,
    change,
  }
  await insertVersions(tx, orgId, last === undefined ? [firstVersion(kind, source), row] : [row])
  return row
}

/** A request that began before another one may change the owner after it: the order of versions is that of the changes. */
const laterOf = (now: string, before: string | undefined): string =>
  before !== undefined && before > now ? before : now

function newVersion({ actor, now }: Change, kind: OwnerKind, ownerId: string, version: number) {
  return {
    id: newId(),
    owner_kind: kind,
    owner_id: ownerId,
    version,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    created_at: now,
  }
}

/** Those of the future stay. */
async function trimVersions(tx: Tx, orgId: OrgId, ownerId: string, version: number): Promise<void> {
  if (version > KEPT_MAX && version % TRIM_EVERY === 0)
    await deleteVersionsBelow(tx, orgId, ownerId, version - KEPT_MAX)
}

/** What a transaction has stored, by owner and version. It need not be read again: documents are long, and never change. */
const storedBy = new WeakMap<Db, Map<string, KeptRules>>()

const rulesKey = (ownerId: string, version: number): string => `${ownerId} ${version}`

interface KeptRules {
  document: StoredRulesDocument
  createdAt: string
}

/** Stores a document of rules. Returns its version. */
export async function storeRules(
  tx: Tx,
  { orgId, now }: Pick<Change, 'orgId' | 'now'>,
  { id: ownerId, rules_version: current }: Pick<TargetSource, 'id' | 'rules_version'>,
  document: StoredRulesDocument,
): Promise<number> {
  const version = (await selectLastRulesVersion(tx, orgId, ownerId)) + 1
  await insertRules(tx, orgId, {
    id: newId(),
    owner_id: ownerId,
    version,
    document: document as unknown as RulesRow['document'],
    created_at: now,
  })
  const stored = storedBy.get(tx) ?? new Map<string, KeptRules>()
  storedBy.set(tx, stored.set(rulesKey(ownerId, version), { document, createdAt: now }))
  if (version > KEPT_MAX && version % TRIM_EVERY === 0) {
    // The current one may have been restored, and is old then.
    const scheduled = await selectScheduled(tx, orgId, [ownerId])
    const used = new Set([current, ...scheduled.map(({ change }) => (change as ScheduledState).rules_version)])
    await deleteRulesBelow(tx, orgId, ownerId, version - KEPT_MAX, used)
  }
  return version
}

/** Undefined if it is so old that it was not kept. */
export async function findRules(
  db: Db,
  orgId: OrgId,
  ownerId: string,
  version: number,
): Promise<KeptRules | undefined> {
  const stored = storedBy.get(db)?.get(rulesKey(ownerId, version))
  if (stored !== undefined) return stored
  const row = await selectRules(db, orgId, ownerId, version)
  return row && { document: row.document as unknown as StoredRulesDocument, createdAt: row.created_at }
}

/** What an owner has besides its columns: few owners have any of it. */
export interface Extras {
  rules: StoredRulesDocument | null
  scheduled: { version: number; effectiveAt: string; change: ScheduledState; rules: StoredRulesDocument | null }[]
}

const NO_EXTRAS: Extras = { rules: null, scheduled: [] }

/** The rules and the versions of the future of these owners, by owner. Reads nothing of those that have none. */
export async function loadExtras(
  db: Db,
  orgId: OrgId,
  sources: readonly Pick<TargetSource, 'id' | 'rules_version' | 'scheduled_count'>[],
): Promise<(ownerId: string) => Extras> {
  const scheduling = sources.flatMap(({ id, scheduled_count }) => (scheduled_count > 0 ? [id] : []))
  const rows: VersionRow[] = []
  for (const ids of batchesOf(scheduling, OWNERS_PER_QUERY)) rows.push(...(await selectScheduled(db, orgId, ids)))
  const extras = new Map<string, Extras>()
  const documentOf = async (id: string, version: number | null | undefined) =>
    version == null ? null : ((await findRules(db, orgId, id, version))?.document ?? null)
  for (const { id, rules_version, scheduled_count } of sources) {
    if (rules_version === null && scheduled_count === 0) continue
    const scheduled: Extras['scheduled'] = []
    for (const { owner_id, version, effective_at, change } of rows) {
      if (owner_id !== id) continue
      const { rules_version: next } = change as ScheduledState
      scheduled.push({
        version,
        effectiveAt: effective_at,
        change: change as ScheduledState,
        rules: await documentOf(id, next),
      })
    }
    extras.set(id, { rules: await documentOf(id, rules_version), scheduled })
  }
  return (ownerId) => extras.get(ownerId) ?? NO_EXTRAS
}

export const toState = (row: Pick<VersionRow, 'state'>): OwnerState | null => row.state as unknown as OwnerState | null
