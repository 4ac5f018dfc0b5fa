import { type Db, insertRows, type Tx } from '../../../platform/db/index.ts'

/** Applications. They belong to no organisation: people of any may allow them something. */
interface OauthClientsTable {
  id: string
  name: string
  /** A list of texts. */
  redirect_uris: unknown
  logo_url: string | null
  /** When a person last allowed it something; null until then. */
  used_at: string | null
  created_at: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    oauth_clients: OauthClientsTable
  }
}

const COLUMNS = ['id', 'name', 'redirect_uris', 'logo_url', 'used_at', 'created_at'] as const
export type ClientRow = Pick<OauthClientsTable, (typeof COLUMNS)[number]>

export const selectClient = (db: Db, id: string): Promise<ClientRow | undefined> =>
  db.selectFrom('oauth_clients').select(COLUMNS).where('id', '=', id).executeTakeFirst()

export const insertClient = (tx: Tx, row: OauthClientsTable): Promise<void> =>
  insertRows(tx, 'oauth_clients', COLUMNS, [row])

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
