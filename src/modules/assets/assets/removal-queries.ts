import { type Db, insertRows, type Tx } from '../../../platform/db/index.ts'

export const insertRemovals = (tx: Tx, names: readonly string[], dueAt: string): Promise<void> =>
  insertRows(
    tx,
    'asset_removals',
    names.map((name) => ({ name, due_at: dueAt })),
  )

export const selectDueRemovals = async (db: Db, now: string, limit: number): Promise<string[]> => {
  const rows = db.selectFrom('asset_removals').select('name').where('due_at', '<=', now).orderBy('due_at')
  return (await rows.limit(limit).execute()).map(({ name }) => name)
}

export const deleteRemovals = async (tx: Tx, names: readonly string[]): Promise<void> => {
  await tx
    .deleteFrom('asset_removals')
    .where('name', 'in', [...names])
    .execute()
}

export const delayRemovals = async (tx: Tx, names: readonly string[], dueAt: string): Promise<void> => {
  await tx
    .updateTable('asset_removals')
    .set({ due_at: dueAt })
    .where('name', 'in', [...names])
    .execute()
}
