import { type Actor, type AuditedChange, insertAuditEntries } from '../../../platform/audit/index.ts'
import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { selectMemberships } from './queries.ts'

/** Notes what happened to the account of a person, in the audit log of every organisation that they belong to. */
export async function auditPerson(
  tx: Tx,
  userId: string,
  actor: Actor,
  changes: readonly AuditedChange[],
  now: Timestamp,
): Promise<void> {
  for (const { org_id } of await selectMemberships(tx, userId)) {
    await insertAuditEntries(tx, org_id, actor, changes, now)
  }
}
