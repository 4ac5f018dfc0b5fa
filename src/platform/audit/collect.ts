import type { Tx } from '../db/index.ts'
import type { Changes } from '../outbox/changes.ts'

/** What happened to a resource. */
export interface AuditedChange {
  /** `<resource>.<what happened>`, such as `qr_code.updated`. */
  action: string
  resource: { type: string; id: string | null }
  /** Null for what has no fields, such as a sign-in. */
  changes: Changes | null
}

/** A property of the transaction, not a WeakMap: collecting its short-lived keys would cost a POST a sixth of its time. */
const CHANGES = Symbol('changes')

interface Collecting {
  [CHANGES]?: AuditedChange[]
}

/** Begins to collect the changes of a transaction, which the caller then stores with `insertAuditEntries`. */
export function collectChanges(tx: Tx): readonly AuditedChange[] {
  const changes: AuditedChange[] = []
  ;(tx as Collecting)[CHANGES] = changes
  return changes
}

/**
 * Notes a change for the audit log. Events do it by themselves (`emit`); resources without events call it. It does nothing
 * in a transaction of a background job.
 */
export function noteChange(
  tx: Tx,
  action: string,
  resource: AuditedChange['resource'],
  changes: () => Changes | null = () => null,
): void {
  ;(tx as Collecting)[CHANGES]?.push({ action, resource, changes: changes() })
}

type Resource = Readonly<Record<string, unknown>> & { object: string; id: string }

/** Fields that say nothing about a new or a deleted resource. */
const TRIVIAL = new Set(['object', 'id', 'created_at', 'updated_at'])

export const noteCreated = (tx: Tx, after: Resource): void =>
  noteChange(tx, `${after.object}.created`, referTo(after), () => fieldsOf(after, (to) => ({ from: null, to })))

export const noteUpdated = (tx: Tx, after: Resource, changes: Changes): void =>
  noteChange(tx, `${after.object}.updated`, referTo(after), () => changes)

export const noteDeleted = (tx: Tx, before: Resource): void =>
  noteChange(tx, `${before.object}.deleted`, referTo(before), () => fieldsOf(before, (from) => ({ from, to: null })))

const referTo = ({ object, id }: Resource): AuditedChange['resource'] => ({ type: object, id })

/** The fields of a resource that have a value. */
export function fieldsOf(
  resource: Readonly<Record<string, unknown>>,
  toChange: (value: unknown) => Changes[string],
): Changes {
  const fields: Record<string, Changes[string]> = {}
  for (const [name, value] of Object.entries(resource)) {
    if (!TRIVIAL.has(name) && value !== null && value !== undefined) fields[name] = toChange(value)
  }
  return fields
}
