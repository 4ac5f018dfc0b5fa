import {
  columnsExcept,
  compiled,
  type Db,
  insertRows,
  type Row,
  type Tx,
  withPrefix,
} from '../../../platform/db/index.ts'

const COLUMNS = columnsExcept('sessions', 'hash')
export type SessionRow = Row<'sessions', typeof COLUMNS>

/** Reads the session, the person, and the role and limits in their current organisation: one read for a request. */
const byHash = compiled((db: Db, hash: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('members', (join) =>
      join.onRef('members.org_id', '=', 'sessions.org_id').onRef('members.user_id', '=', 'sessions.user_id'),
    )
    .leftJoin('organisations', 'organisations.id', 'sessions.org_id')
    .select(withPrefix('sessions', COLUMNS))
    .select(['users.email', 'users.first_name', 'users.last_name', 'users.deactivated_at'])
    .select(['members.role', 'organisations.rate_per_minute', 'organisations.rate_per_hour'])
    .where('sessions.hash', '=', hash),
)

export type SignedInRow = Awaited<ReturnType<typeof byHash>>[number]

/** Takes no organisation, because the session determines it. */
export const selectSessionByHash = async (db: Db, hash: string): Promise<SignedInRow | undefined> =>
  (await byHash(db, hash))[0]

/** The one used last first. Their number is limited. */
export const selectSessionsOf = (db: Db, userId: string): Promise<SessionRow[]> =>
  db
    .selectFrom('sessions')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

export const insertSession = (tx: Tx, row: Row<'sessions'>): Promise<void> => insertRows(tx, 'sessions', [row])

/** Returns whether there is one. */
export const updateSession = async (
  tx: Tx,
  userId: string,
  id: string,
  changes: Partial<Pick<Row<'sessions'>, 'hash' | 'org_id' | 'authenticated_at'>>,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set(changes)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const selectSession = (db: Db, userId: string, id: string): Promise<{ id: string } | undefined> =>
  db.selectFrom('sessions').select('id').where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()

/** Only if the stored time is older than `dueBefore`. */
export const updateLastUsed = (tx: Tx, id: string, usedAt: string, dueBefore: string) =>
  tx
    .updateTable('sessions')
    .set({ last_used_at: usedAt })
    .where('id', '=', id)
    .where('last_used_at', '<=', dueBefore)
    .execute()

/** Returns whether there was one. */
export const deleteSession = async (tx: Tx, userId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Returns the ids of those that it deleted. */
export const deleteSessionsExcept = async (tx: Tx, userId: string, keptId: string | null): Promise<string[]> => {
  const rows = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keptId !== null, (query) => query.where('id', '!=', keptId as string))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
