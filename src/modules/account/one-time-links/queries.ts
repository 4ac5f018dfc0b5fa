import { columnsExcept, type Db, insertRows, type Row, type Tx } from '../../../platform/db/index.ts'

const COLUMNS = columnsExcept('one_time_links', 'hash')
export type LinkRow = Row<'one_time_links', typeof COLUMNS>
export type Purpose = Row<'one_time_links'>['purpose']

export const insertLink = (tx: Tx, row: Row<'one_time_links'>): Promise<void> => insertRows(tx, 'one_time_links', [row])

/** Takes no organisation, because the token determines it. */
export const selectLink = (db: Db, hash: string): Promise<LinkRow | undefined> =>
  db.selectFrom('one_time_links').select(COLUMNS).where('hash', '=', hash).executeTakeFirst()

/** If two transactions use the same link, one gets undefined. */
export const deleteLink = (tx: Tx, hash: string): Promise<LinkRow | undefined> =>
  tx.deleteFrom('one_time_links').where('hash', '=', hash).returning(COLUMNS).executeTakeFirst()

export const deleteLinksOf = async (tx: Tx, userId: string, purposes: readonly Purpose[]): Promise<void> => {
  await tx
    .deleteFrom('one_time_links')
    .where('user_id', '=', userId)
    .where('purpose', 'in', [...purposes])
    .execute()
}

export const deleteLinksSince = async (tx: Tx, userId: string, purpose: Purpose, since: string): Promise<void> => {
  await tx
    .deleteFrom('one_time_links')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('created_at', '>=', since)
    .execute()
}

/** Their number is limited. */
export const selectLinksOf = (db: Db, userId: string, purpose: Purpose, now: string): Promise<LinkRow[]> =>
  db
    .selectFrom('one_time_links')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .execute()

/** Asks about all people: an address belongs to one of them at most. */
export const selectReservation = (
  db: Db,
  emailFolded: string,
  exceptUserId: string,
  now: string,
): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('one_time_links')
    .select('id')
    .where('email_folded', '=', emailFolded)
    .where('user_id', '!=', exceptUserId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
