/** Leases: each gives one worker the exclusive right to send the deliveries of one organisation. */
import { batchesOf, type Database } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** Leases per statement: engines limit the number of parameters, and other writers wait for each statement. */
const BATCH_LEASES = 500

/** Returns the organisations that the holder now leases. Sorted, so that two workers cannot deadlock. */
export async function takeLeases(
  { kysely }: Database,
  holder: string,
  orgIds: readonly OrgId[],
  now: string,
  until: string,
): Promise<OrgId[]> {
  const taken: OrgId[] = []
  for (const batch of batchesOf(orgIds.toSorted(), BATCH_LEASES)) {
    const rows = await kysely
      .insertInto('delivery_leases')
      .values(batch.map((org_id) => ({ org_id, holder, leased_until: until })))
      .onConflict((conflict) =>
        conflict
          .column('org_id')
          .doUpdateSet({ holder, leased_until: until })
          .where((eb) =>
            eb.or([eb('delivery_leases.leased_until', '<=', now), eb('delivery_leases.holder', '=', holder)]),
          ),
      )
      .returning('org_id')
      .execute()
    for (const { org_id } of rows) taken.push(org_id)
  }
  return taken
}

/** Returns the organisations whose leases had not expired and are renewed. */
export async function renewLeases({ kysely }: Database, holder: string, now: string, until: string): Promise<OrgId[]> {
  const rows = await kysely
    .updateTable('delivery_leases')
    .set({ leased_until: until })
    .where('holder', '=', holder)
    .where('leased_until', '>', now)
    .returning('org_id')
    .execute()
  return rows.map(({ org_id }) => org_id)
}

export async function releaseLeases({ kysely }: Database, holder: string, orgIds: readonly OrgId[]): Promise<void> {
  for (const batch of batchesOf(orgIds, BATCH_LEASES)) {
    await kysely.deleteFrom('delivery_leases').where('holder', '=', holder).where('org_id', 'in', batch).execute()
  }
}

export async function clearLeases({ kysely }: Database): Promise<void> {
  await kysely.deleteFrom('delivery_leases').execute()
}

/** Not part of a backup. */
export const DELIVERY_TABLES_LEFT_OUT = { delivery_leases: 'a lease lasts only seconds' }
