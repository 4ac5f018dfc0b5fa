import { sql } from 'kysely'
import { compiled, type Db, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { WebhookEndpointsTable } from './queries.ts'

export const selectForDelivery = compiled((db: Db, orgId: OrgId) =>
  db
    .selectFrom('webhook_endpoints')
    .select(['id', 'url', 'is_active', 'secret', 'old_secret', 'old_secret_expires_at', 'failing_since'])
    .where('org_id', '=', orgId),
)

/** A single statement needs no transaction around it. */
type Writer = Pick<Tx, 'updateTable'>

export const addFailures = (
  tx: Writer,
  orgId: OrgId,
  id: string,
  { count, since }: { count: number; since: string },
): Promise<Pick<WebhookEndpointsTable, 'url' | 'is_active' | 'failing_since' | 'failed_attempts'> | undefined> =>
  tx
    .updateTable('webhook_endpoints')
    .set({
      failing_since: sql`coalesce(failing_since, ${since})`,
      failed_attempts: sql`failed_attempts + ${count}`,
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning(['url', 'is_active', 'failing_since', 'failed_attempts'])
    .executeTakeFirst()

export const clearFailures = async (tx: Writer, orgId: OrgId, id: string): Promise<void> => {
  await tx
    .updateTable('webhook_endpoints')
    .set({ failing_since: null, failed_attempts: 0 })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

/** Only while the endpoint still has the address. */
export const disableRow = async (
  tx: Tx,
  orgId: OrgId,
  id: string,
  url: string,
  reason: string,
  now: string,
): Promise<void> => {
  await tx
    .updateTable('webhook_endpoints')
    .set({ is_active: false, disabled_reason: reason, updated_at: now })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('is_active', '=', true)
    .where('url', '=', url)
    .execute()
}
