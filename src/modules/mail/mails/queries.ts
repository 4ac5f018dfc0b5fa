import { columnsOf, type Db, forUpdate, insertRows, type Row, type Tx } from '../../../platform/db/index.ts'

const COLUMNS = columnsOf('mails')
export type MailRow = Row<'mails'>

export const insertMail = (tx: Tx, row: MailRow): Promise<void> => insertRows(tx, 'mails', [row])

/** There are few: `WAITING_MAX` of each cause. */
export const deleteMailsOf = async (tx: Tx, causeId: string): Promise<void> => {
  await tx.deleteFrom('mails').where('cause_id', '=', causeId).execute()
}

/** Those that quote a resource. A mail that is being sent at this moment arrives all the same. */
export const deleteMailsAbout = async (tx: Tx, causeId: string, subjectId: string): Promise<void> => {
  await tx.deleteFrom('mails').where('cause_id', '=', causeId).where('subject_id', '=', subjectId).execute()
}

/** Counts at most `limit`. */
export const countWaiting = async (db: Db, causeId: string, limit: number): Promise<number> =>
  (await db.selectFrom('mails').select('id').where('cause_id', '=', causeId).limit(limit).execute()).length

export const countMails = async (db: Db): Promise<number> => {
  const { mails } = await db
    .selectFrom('mails')
    .select((eb) => eb.fn.countAll<number>().as('mails'))
    .executeTakeFirstOrThrow()
  return mails
}

/** The first cause after this one that has a due mail. */
export const selectDueCause = async (db: Db, after: string, now: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('mails')
    .select('cause_id')
    .where('due_at', '<=', now)
    .where('cause_id', '>', after)
    .orderBy('cause_id')
    .limit(1)
    .executeTakeFirst()
  return row?.cause_id
}

/** The mail of a cause that is due for longest. Skips those that another worker is claiming. */
export const lockDue = (tx: Tx, causeId: string, now: string): Promise<MailRow | undefined> =>
  tx
    .selectFrom('mails')
    .select(COLUMNS)
    .where('cause_id', '=', causeId)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .modifyEnd(forUpdate(tx, 'skip locked'))
    .executeTakeFirst()

export const updateDue = async (tx: Tx, id: string, attempts: number, dueAt: string): Promise<void> => {
  await tx.updateTable('mails').set({ attempts, due_at: dueAt }).where('id', '=', id).execute()
}

export const deleteMail = async (tx: Tx, id: string): Promise<void> => {
  await tx.deleteFrom('mails').where('id', '=', id).execute()
}
