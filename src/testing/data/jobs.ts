import { timestamp } from '../../platform/clock/index.ts'
import type { Row } from '../../platform/db/index.ts'
import { newId, type OrgId } from '../../platform/ids/index.ts'
import { insertTestRows } from '../engines/insert-test-rows.ts'
import type { Harness } from '../harness.ts'

const KINDS = ['destination_change', 'destination_change_undo']
const STATUSES = ['completed', 'cancelled', 'failed'] as const
const RESULTS = ['changed', 'unchanged', 'skipped', 'failed'] as const

/** Creates finished jobs, some for each filter. The number of those before counts, so that single ones differ, too. */
export async function createJobs(harness: Harness, orgId: OrgId, count: number, before = 0): Promise<string[]> {
  const now = timestamp(harness.nowMs())
  const rows = Array.from({ length: count }, (_, n): Row<'jobs'> => {
    const number = before + n
    return {
      id: newId(),
      org_id: orgId,
      kind: KINDS[number % KINDS.length] as string,
      areas: ',objects,products,qr,',
      status: STATUSES[number % STATUSES.length] ?? 'completed',
      input: {},
      undoes: null,
      place: null,
      total: 1,
      done: 1,
      failed: 0,
      changed: 1,
      error: null,
      actor_kind: 'system',
      actor_id: null,
      actor_name: 'Waymark',
      address: null,
      user_agent: null,
      failures: 0,
      due_at: null,
      created_at: now,
      started_at: now,
      finished_at: now,
    }
  })
  await harness.service.database.write((tx) => insertTestRows(tx, 'jobs', rows))
  return rows.map(({ id }) => id)
}

/** Adds items to a job, some with each result. */
export async function addJobItems(harness: Harness, orgId: OrgId, jobId: string, count: number): Promise<void> {
  const created_at = timestamp(harness.nowMs())
  const rows = Array.from(
    { length: count },
    (_, n): Row<'job_items'> => ({
      id: newId(),
      org_id: orgId,
      job_id: jobId,
      target_kind: 'qr_code',
      target_id: newId(),
      name: 'Front door',
      result: RESULTS[n % RESULTS.length] ?? 'changed',
      reason: null,
      error: null,
      memo: null,
      created_at,
    }),
  )
  await harness.service.database.write((tx) => insertTestRows(tx, 'job_items', rows))
}
