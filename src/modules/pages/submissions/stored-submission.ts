import { type Db, lockRow, type Tx } from '../../../platform/db/index.ts'
import { notFoundOrGone } from '../../../platform/db/tombstones.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { toDestination } from '../../codes/destinations/index.ts'
import type { SubmissionData } from '../form/index.ts'
import type { Submission } from './contract.ts'
import { type SubmissionRow, selectSubmission } from './queries.ts'

export async function requireSubmission(db: Db, orgId: OrgId, id: string): Promise<SubmissionRow> {
  const row = await selectSubmission(db, orgId, id)
  if (row === undefined) throw await notFoundOrGone(db, orgId, 'submission', id)
  return row
}

export async function lockSubmission(tx: Tx, orgId: OrgId, id: string): Promise<SubmissionRow> {
  await lockRow(tx, orgId, 'submissions', id)
  return requireSubmission(tx, orgId, id)
}

export function toSubmission(row: SubmissionRow): Submission {
  const { id, page_id, status, priority, flagged, assignee_id, resolved_by, resolved_at, notes } = row
  const { spam_reason, viewed_at, duration_seconds, qr_code_id, product_id, object_id, created_at, updated_at } = row
  return {
    object: 'submission',
    id,
    page_id,
    submission_number: row.number,
    ...{ status, priority, flagged, assignee_id, resolved_by, resolved_at, notes },
    data: row.data as SubmissionData,
    metadata: row.metadata as Submission['metadata'],
    destination: toDestination({ destination_type: 'page', destination_id: page_id, destination_url: null }),
    ...{ spam_reason, viewed_at, duration_seconds, qr_code_id, product_id, object_id, created_at, updated_at },
  }
}
