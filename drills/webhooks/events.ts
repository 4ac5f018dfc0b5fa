import { qrGroupEvents } from '../../src/modules/codes/qr-groups/index.ts'
import { systemClock, timestamp } from '../../src/platform/clock/index.ts'
import type { Database } from '../../src/platform/db/types.ts'
import { newId, type OrgId } from '../../src/platform/ids/index.ts'
import { emitAll } from '../../src/platform/outbox/index.ts'
import type { WebhookReceiver } from '../../src/testing/world/webhook-receiver.ts'
import type { Tenant } from './stage.ts'

const EVENT = 'qr_group.created'
/** How many events happen in one transaction. */
const BATCH = 200
/** What stores and protocols like to bend on its way. */
const DESCRIPTION = 'Frühling 🌳 ربيع \u2028 "quoted" \\n'

/** Where the events of an organisation go. */
export interface Endpoint {
  tenant: Tenant
  id: string
  path: string
  secret: string
}

export async function subscribe(tenant: Tenant, receiver: WebhookReceiver, path: string): Promise<Endpoint> {
  const { status, body } = await tenant.client.post('/v1/webhooks', { url: receiver.url(path), events: [EVENT] })
  if (status !== 201) throw new Error(`an endpoint was not made: ${JSON.stringify(body)}`)
  return { tenant, id: body.id, path, secret: body.signing_secret }
}

/** So many events happen, in many transactions, in these organisations in turn. */
export async function happen(database: Database, orgIds: readonly OrgId[], count: number): Promise<void> {
  for (let done = 0; done < count; done += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, count - done) }, (_, n) => orgIds[(done + n) % orgIds.length])
    await writeEvents(database, some as OrgId[], () => {})
  }
}

/** The same, except that in the end it was not so. */
export async function nearlyHappen(database: Database, orgIds: readonly OrgId[]): Promise<void> {
  const takenBack = new Error('taken back')
  await writeEvents(database, orgIds, () => {
    throw takenBack
  }).catch((error: unknown) => {
    if (error !== takenBack) throw error
  })
}

const writeEvents = (database: Database, orgIds: readonly OrgId[], end: () => void): Promise<void> =>
  database.write(async (tx) => {
    const now = timestamp(systemClock())
    const nowhere = { type: null, chatbot: null, page: null, knowledge_base: null, url: null }
    const happened = orgIds.map((orgId, n) => ({
      orgId,
      type: EVENT as typeof EVENT,
      payload: {
        object: 'qr_group' as const,
        id: newId(),
        name: `Group ${n}`,
        description: DESCRIPTION,
        status: 'unconfigured' as const,
        destination: nowhere,
        qr_code_count: n,
        created_at: now,
        updated_at: now,
      },
    }))
    await emitAll(tx, qrGroupEvents, happened, now)
    end()
  })
