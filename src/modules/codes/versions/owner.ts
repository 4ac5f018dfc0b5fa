import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Changes, changesOf } from '../../../platform/outbox/index.ts'
import type { Cause } from './service.ts'
import type { OwnerKind, OwnerState, TargetSource } from './state.ts'

export interface OwnerRow {
  id: string
  created_at: string
  rules_version: number | null
  scheduled_count: number
}

/** How lists, rules and versions reach what they belong to: a QR code, QR group, object or product. */
export interface Owner<Row extends OwnerRow> {
  readonly kind: OwnerKind
  /** Returns the owner; throws `not_found` or `gone`. */
  require(db: Db, orgId: OrgId, ref: string): Promise<Row>
  /** The same, and locks the owner: two requests that change it must not mix. */
  lock(tx: Tx, orgId: OrgId, ref: string): Promise<Row>
  toSource(row: Row): TargetSource
  /** The row if it led where this state says. */
  withState(row: Row, state: OwnerState): Row
  /** As responses show it. */
  toResource(row: Row): object
  /** Stores the row and publishes its setup, without an event: what others see of it is as before. */
  store(tx: Tx, ctx: Context, row: Row): Promise<void>
  /** The same for a change that others see: adds a version if the row leads somewhere else, and emits an event. */
  change(tx: Tx, ctx: Context, changed: { before: Row; after: Row }, changes: Changes, cause?: Cause): Promise<unknown>
}

/** What differs between two rows, for an event. It has the versions of rules: two documents would be too long for many receivers. */
export function stateChanges<Row extends OwnerRow>(owner: Owner<Row>, before: Row, after: Row): Changes {
  const withVersion = (row: Row) => ({ ...owner.toResource(row), rules_version: row.rules_version })
  return changesOf(withVersion(before), withVersion(after)) ?? {}
}
