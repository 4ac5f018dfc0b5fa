import type { Db, Tx } from '../db/index.ts'
import type { OrgId } from '../ids/index.ts'

/** The events of these types and times that are about a resource. Finds them by the index of types. */
async function selectAbout(db: Db, orgId: OrgId, types: readonly string[], times: readonly string[], id: string) {
  const rows = await db
    .selectFrom('events')
    .select(['id', 'payload'])
    .where('org_id', '=', orgId)
    .where('type', 'in', [...types])
    .where('created_at', 'in', [...times])
    .execute()
  return rows.filter(({ payload }) => (payload as { id?: unknown }).id === id)
}

/**
 * Removes content from events about a resource that is erased. They stay, so that deliveries that still wait are sent, with
 * what is left. Returns their ids.
 */
export async function redactEvents(
  tx: Tx,
  orgId: OrgId,
  about: { id: string; types: readonly string[]; times: readonly string[] },
  redact: (payload: Record<string, unknown>) => Record<string, unknown>,
): Promise<string[]> {
  const events = await selectAbout(tx, orgId, about.types, about.times, about.id)
  for (const { id, payload } of events) {
    await tx
      .updateTable('events')
      .set({ payload: redact(payload as Record<string, unknown>) })
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .execute()
  }
  return events.map(({ id }) => id)
}
