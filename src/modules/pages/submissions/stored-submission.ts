import { type Db, lockRow, type Tx } from '../../../platform/db/index.ts'
import { notFoundOrGone } from '../../../platform/db/tombstones.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { toDestination } from '../../codes/destinations/index.ts'
import type { ScannedThing } from '../../codes/scanned-things/index.ts'
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
  const { spam_reason, viewed_at, duration_seconds, qr_code_id, product_id, object_id } = row
  const { reply_count, created_at, updated_at } = row
  return {
    object: 'submission',
    id,
    page_id,
    submission_number: row.number,
    ...{ status, priority, flagged, assignee_id, resolved_by, resolved_at, notes },
    data: toAnswers(row.data as SubmissionData),
    metadata: row.metadata as Submission['metadata'],
    destination: toDestination({ destination_type: 'page', destination_id: page_id, destination_url: null }),
    ...{ spam_reason, viewed_at, duration_seconds, qr_code_id, product_id, object_id },
    scanned: toScanned(row),
    ...{ reply_count, created_at, updated_at },
  }
}

/** Earlier releases have stored neither names nor labels. */
const toAnswers = (data: SubmissionData): Submission['data'] =>
  Object.fromEntries(
    Object.entries(data).map(([id, { type, name = null, label, value, value_label = null, order }]) => [
      id,
      { type, name, label, value, value_label, order },
    ]),
  )

const SCANNED = { qr_code_id: 'qr_code', object_id: 'object', product_id: 'product' } as const

export function scannedThing(row: Pick<SubmissionRow, keyof typeof SCANNED>): ScannedThing | null {
  for (const [column, kind] of Object.entries(SCANNED) as [keyof typeof SCANNED, ScannedThing['kind']][]) {
    const id = row[column]
    if (id !== null) return { kind, id }
  }
  return null
}

function toScanned(row: SubmissionRow): Submission['scanned'] {
  const thing = scannedThing(row)
  return thing && { type: thing.kind, id: thing.id, external_id: row.scanned_external_id, name: row.scanned_name }
}
