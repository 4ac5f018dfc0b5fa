import { compiled, type Db, insertRows, type Row, type Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

export const insertReceipts = (tx: Tx, rows: readonly Row<'submission_receipts'>[]): Promise<void> =>
  insertRows(tx, 'submission_receipts', rows)

/** Has no organisation filter: the token determines the organisation. */
const byToken = compiled((db: Db, hash: string) =>
  db
    .selectFrom('submission_receipts as r')
    .innerJoin('submissions as s', (join) =>
      join.onRef('s.id', '=', 'r.submission_id').onRef('s.org_id', '=', 'r.org_id'),
    )
    .innerJoin('organisations as o', 'o.id', 'r.org_id')
    .leftJoin('pages as p', (join) => join.onRef('p.id', '=', 's.page_id').onRef('p.org_id', '=', 's.org_id'))
    .select([
      ...['s.id', 's.org_id', 's.number', 's.status', 's.data', 's.language', 's.reply_count', 's.created_at'],
      ...['s.qr_code_id', 's.product_id', 's.object_id', 's.scanned_name', 'p.public_slug'],
      ...['o.name as org_name', 'o.logo_url as org_logo_url', 'o.brand'],
    ] as const)
    .where('r.id', '=', hash),
)

export const selectReceipt = async (db: Db, hash: string) => (await byToken(db, hash))[0]

/** One for each mail about the submission, and one more. */
export const deleteReceipts = async (tx: Tx, orgId: OrgId, submissionId: string): Promise<void> => {
  await tx
    .deleteFrom('submission_receipts')
    .where('org_id', '=', orgId)
    .where('submission_id', '=', submissionId)
    .execute()
}
