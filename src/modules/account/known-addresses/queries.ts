import type { Db, Row, Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export const countAddresses = async (db: Db, orgId: OrgId, credentialId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('known_addresses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .where('credential_id', '=', credentialId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns false if it is known already. */
export const insertAddress = async (tx: Tx, row: Row<'known_addresses'>): Promise<boolean> => {
  const inserted = await tx
    .insertInto('known_addresses')
    .values(row)
    .onConflict((conflict) => conflict.columns(['org_id', 'credential_id', 'address']).doNothing())
    .returning('address')
    .execute()
  return inserted.length > 0
}
