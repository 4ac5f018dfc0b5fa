import { columnsOf, type Db, insertRows, type Row, type Tx } from '../../../platform/db/index.ts'

const COLUMNS = columnsOf('oauth_clients')
export type ClientRow = Row<'oauth_clients', typeof COLUMNS>

export const selectClient = (db: Db, id: string): Promise<ClientRow | undefined> =>
  db.selectFrom('oauth_clients').select(COLUMNS).where('id', '=', id).executeTakeFirst()

export const insertClient = (tx: Tx, row: Row<'oauth_clients'>): Promise<void> => insertRows(tx, 'oauth_clients', [row])

export const updateClientUsed = async (tx: Tx, id: string, now: string): Promise<void> => {
  await tx.updateTable('oauth_clients').set({ used_at: now }).where('id', '=', id).execute()
}

/** Deletes one unused client, the oldest, if there are more than `max`. */
export const deleteOldestUnusedClient = async (tx: Tx, max: number): Promise<void> => {
  const oldest = tx
    .selectFrom('oauth_clients')
    .select('id')
    .where('used_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .offset(max)
  await tx.deleteFrom('oauth_clients').where('id', 'in', oldest).execute()
}

/** Returns how many it deleted. */
export const deleteUnusedClients = async (tx: Tx, before: string, limit: number): Promise<number> => {
  const unused = tx
    .selectFrom('oauth_clients')
    .select('id')
    .where('used_at', 'is', null)
    .where('created_at', '<=', before)
    .limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('oauth_clients').where('id', 'in', unused).executeTakeFirst()
  return Number(numDeletedRows)
}
