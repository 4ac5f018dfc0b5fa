import { sql } from 'kysely'
import type { Row, Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = ['url', 'is_active', 'failing_since', 'failed_attempts'] as const
export type FailureRow = Row<'webhook_endpoints', typeof COLUMNS>

/** A single statement needs no transaction around it. */
type Writer = Pick<Tx, 'updateTable'>

export const addFailures = (
  tx: Writer,
  orgId: OrgId,
  id: string,
  { count, since }: { count: number; since: string },
): Promise<FailureRow | undefined> =>
  tx
    .updateTable('webhook_endpoints')
    .set({
      failing_since: sql`coalesce(failing_since, ${since})`,
      failed_attempts: sql`failed_attempts + ${count}`,
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()

export const clearFailures = async (tx: Writer, orgId: OrgId, id: string): Promise<void> => {
  await tx
    .updateTable('webhook_endpoints')
    .set({ failing_since: null, failed_attempts: 0 })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}
