import { toDestination, toDestinationColumns } from '../../src/modules/codes/destinations/index.ts'
import { qrGroupEvents } from '../../src/modules/codes/qr-groups/index.ts'
import { systemClock, timestamp } from '../../src/platform/clock/index.ts'
import type { Database } from '../../src/platform/db/types.ts'
import { newId, type OrgId } from '../../src/platform/ids/index.ts'
import { emitAll } from '../../src/platform/outbox/index.ts'
import type { WebhookReceiver } from '../../src/testing/world/webhook-receiver.ts'
import type { Tenant } from './stage.ts'

const EVENT = 'qr_group.created'
/** Events per transaction, in turn. A worker creates the deliveries of large batches after their transaction. */
const BATCHES = [900, 30]
/** Characters that are often corrupted in storage or in transit. */
const DESCRIPTION = 'Frühling 🌳 ربيع \u2028 "quoted" \\n'

export interface Endpoint {
  tenant: Tenant
  id: string
  path: string
  secret: string
}

export async function subscribe(tenant: Tenant, receiver: WebhookReceiver, path: string): Promise<Endpoint> {
  const { status, body } = await tenant.client.post('/v1/webhooks', { url: receiver.url(path), events: [EVENT] })
  if (status !== 201) throw new Error(`failed to create an endpoint: ${JSON.stringify(body)}`)
  return { tenant, id: body.id, path, secret: body.signing_secret }
}

/** Creates events in many transactions, for the organisations in turn. */
export async function createEvents(database: Database, orgIds: readonly OrgId[], count: number): Promise<void> {
  for (let done = 0, n = 0; done < count; n++) {
    const size = Math.min(BATCHES[n % BATCHES.length] ?? 1, count - done)
    await writeEvents(database, inTurn(orgIds, size), () => {})
    done += size
  }
}

/** Creates events in transactions that roll back. */
export async function rollBackEvents(database: Database, orgIds: readonly OrgId[]): Promise<void> {
  const rollback = new Error('roll back')
  for (const size of BATCHES) {
    await writeEvents(database, inTurn(orgIds, size), () => {
      throw rollback
    }).catch((error: unknown) => {
      if (error !== rollback) throw error
    })
  }
}

const inTurn = (orgIds: readonly OrgId[], count: number): OrgId[] =>
  Array.from({ length: count }, (_, n) => orgIds[n % orgIds.length] as OrgId)

const writeEvents = (database: Database, orgIds: readonly OrgId[], beforeCommit: () => void): Promise<void> =>
  database.write(async (tx) => {
    const now = timestamp(systemClock())
    const happened = orgIds.map((orgId, n) => ({
      orgId,
      type: EVENT as typeof EVENT,
      payload: {
        object: 'qr_group' as const,
        id: newId(),
        external_id: null,
        name: `Group ${n}`,
        description: DESCRIPTION,
        status: 'unconfigured' as const,
        destination: toDestination(toDestinationColumns(null)),
        destination_article_id: null,
        has_rules: false,
        qr_code_count: n,
        created_at: now,
        updated_at: now,
      },
    }))
    await emitAll(tx, qrGroupEvents, happened, now)
    beforeCommit()
  })
