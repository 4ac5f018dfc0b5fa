import { type Db, insertRows, type Tx } from '../../../platform/db/index.ts'

interface OneTimeLinksTable {
  id: string
  /** The hash of the token in the link. */
  hash: string
  purpose: 'set_up' | 'reset_password' | 'change_email'
  /** The organisation whose first owner signs up. */
  org_id: string | null
  /** The person whose password or address changes. */
  user_id: string | null
  /** The address to change to. */
  email: string | null
  expires_at: string
  created_at: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    one_time_links: OneTimeLinksTable
  }
}

const COLUMNS = ['id', 'purpose', 'org_id', 'user_id', 'email', 'expires_at', 'created_at'] as const
export type LinkRow = Pick<OneTimeLinksTable, (typeof COLUMNS)[number]>
export type Purpose = OneTimeLinksTable['purpose']

export const insertLink = (tx: Tx, row: OneTimeLinksTable): Promise<void> =>
  insertRows(tx, 'one_time_links', [...COLUMNS, 'hash'], [row])

/** Takes no organisation, because the token determines it. */
export const selectLink = (db: Db, hash: string): Promise<LinkRow | undefined> =>
  db.selectFrom('one_time_links').select(COLUMNS).where('hash', '=', hash).executeTakeFirst()

/** If two transactions use the same link, one gets undefined. */
export const deleteLink = (tx: Tx, hash: string): Promise<LinkRow | undefined> =>
  tx.deleteFrom('one_time_links').where('hash', '=', hash).returning(COLUMNS).executeTakeFirst()

export const deleteLinksOf = async (tx: Tx, userId: string, purpose: Purpose): Promise<void> => {
  await tx.deleteFrom('one_time_links').where('user_id', '=', userId).where('purpose', '=', purpose).execute()
}
