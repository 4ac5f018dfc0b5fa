import { type Timestamp, toMs } from '../clock/index.ts'
import { insertRows, type Row, type Tx } from '../db/index.ts'
import { newIdAt, type OrgId } from '../ids/index.ts'
import type { Changes } from '../outbox/changes.ts'
import { type AuditedChange, collectChanges } from './collect.ts'

/** Who is responsible for a change, and where they were. */
export interface Actor {
  kind: Row<'audit_log'>['actor_kind']
  id: string | null
  name: string
  address: string | null
  userAgent: string | null
}

/** The actor of changes that the service itself decided. */
export const SYSTEM: Actor = { kind: 'system', id: null, name: 'Waymark', address: null, userAgent: null }

/** A longer value is left out: the log says what changed, and is not a copy of all texts. */
const VALUE_LENGTH_MAX = 1000
/** Limits all values of an entry, so that a page of entries is short. */
const VALUES_LENGTH_MAX = 3000
const OMITTED = { from: null, to: null, omitted: true } as const
const USER_AGENT_LENGTH_MAX = 300

/** Runs `work` and stores what it changed, with its actor. */
export async function withAudit<T>(
  tx: Tx,
  orgId: OrgId,
  actor: Actor,
  now: Timestamp,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const changes = collectChanges(tx)
  const result = await work(tx)
  await insertAuditEntries(tx, orgId, actor, changes, now)
  return result
}

/** Stores what an actor did in this transaction. An action on many resources is one entry. */
export async function insertAuditEntries(
  tx: Tx,
  orgId: OrgId,
  actor: Actor,
  changes: readonly AuditedChange[],
  now: Timestamp,
): Promise<void> {
  if (changes.length === 0) return
  const toRow = ({ action, resource, changes }: AuditedChange, ids: readonly (string | null)[] | null) => ({
    id: newIdAt(toMs(now)),
    org_id: orgId,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    action,
    resource_type: resource.type,
    resource_id: ids === null ? resource.id : null,
    resource_ids: ids,
    changes: ids === null ? shorten(changes) : null,
    address: actor.address,
    user_agent: actor.userAgent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
    created_at: now,
  })
  const rows = groupByAction(changes).map((group) =>
    toRow(group[0] as AuditedChange, group.length === 1 ? null : group.map(({ resource }) => resource.id)),
  )
  await insertRows(tx, 'audit_log', rows)
}

const groupByAction = (changes: readonly AuditedChange[]): readonly (readonly AuditedChange[])[] =>
  changes.length === 1 ? [changes] : [...Map.groupBy(changes, ({ action }) => action).values()]

function shorten(changes: Changes | null): Changes | null {
  if (changes === null) return null
  let left = VALUES_LENGTH_MAX
  const shortened: Record<string, Changes[string]> = {}
  for (const [name, change] of Object.entries(changes)) {
    const length = lengthOf(change.from) + lengthOf(change.to)
    const isShort = length <= Math.min(left, VALUE_LENGTH_MAX)
    if (isShort) left -= length
    shortened[name] = isShort ? change : OMITTED
  }
  return shortened
}

/** Most values are short texts and numbers, which need not be serialised. */
const lengthOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 0
}
