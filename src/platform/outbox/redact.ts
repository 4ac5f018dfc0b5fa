import type { Db, Tx } from '../db/index.ts'
import type { OrgId } from '../ids/index.ts'

interface About {
  /** The ids of the resources. */
  ids: readonly string[]
  types: readonly string[]
  times: readonly string[]
}

/** The events of these types and times that are about the resources. Finds them by the index of types. */
async function selectAbout(db: Db, orgId: OrgId, { ids, types, times }: About) {
  if (times.length === 0) return []
  const rows = await db
    .selectFrom('events')
    .select(['id', 'payload'])
    .where('org_id', '=', orgId)
    .where('type', 'in', [...types])
    .where('created_at', 'in', [...times])
    .execute()
  const wanted = new Set<unknown>(ids)
  return rows.filter(({ payload }) => wanted.has((payload as { id?: unknown }).id))
}

/**
 * Removes content from events about resources that are erased. They stay, so that deliveries that still wait are sent, with
 * what is left. Returns their ids.
 */
export async function redactEvents(
  tx: Tx,
  orgId: OrgId,
  about: About,
  redact: (payload: Record<string, unknown>) => Record<string, unknown>,
): Promise<string[]> {
  const events = await selectAbout(tx, orgId, about)
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
