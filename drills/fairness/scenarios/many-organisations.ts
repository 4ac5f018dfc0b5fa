import { setTimeout as sleep } from 'node:timers/promises'
import { createOrganisation } from '../../../src/modules/account/organisations/index.ts'
import { systemClock, timestamp } from '../../../src/platform/clock/index.ts'
import { insertRows, lockRow } from '../../../src/platform/db/index.ts'
import { newId, type OrgId } from '../../../src/platform/ids/index.ts'
import { both, type Finding, type Scenario } from '../finding.ts'
import { onStage, type Stage } from '../stage.ts'

const ORGANISATIONS = 11_000
const PER_TRANSACTION = 500
const POLL_MS = 500
const GIVE_UP_MS = 60_000
const LOCKED_MS = 8000

/** More organisations with a due delivery than one statement can have parameters; and a row that stays locked. */
export const manyOrganisations: Scenario = {
  number: 15,
  title: `${ORGANISATIONS.toLocaleString('en')} organisations with a due delivery; a lock that lasts`,
  run: (engine) =>
    onStage(engine, {}, async (stage) => {
      const leased = await leases(stage)
      return engine === 'postgres' ? both(leased, await lockedRow(stage)) : leased
    }),
}

async function leases(stage: Stage): Promise<Finding> {
  for (let n = 0; n < ORGANISATIONS; n += PER_TRANSACTION) await createDue(stage, n)
  const count = async () => {
    const { leased } = await stage.database.read
      .selectFrom('delivery_leases')
      .select((eb) => eb.fn.countAll<number>().as('leased'))
      .executeTakeFirstOrThrow()
    return Number(leased)
  }
  const startedMs = performance.now()
  let most = 0
  while (most < ORGANISATIONS && performance.now() - startedMs < GIVE_UP_MS) {
    most = Math.max(most, await count())
    await sleep(POLL_MS)
  }
  return { holds: most === ORGANISATIONS, figures: `${most.toLocaleString('en')} leased` }
}

/** Organisations whose endpoint has a test delivery waiting. They are paused, so that only the test is due. */
async function createDue({ database }: Stage, from: number): Promise<void> {
  const now = timestamp(systemClock())
  await database.write(async (tx) => {
    const orgIds: OrgId[] = []
    for (let n = from; n < from + PER_TRANSACTION; n++) {
      orgIds.push((await createOrganisation(tx, { name: `Acme ${n}`, slug: `due-${n}` }, now)).id)
    }
    const endpoints = orgIds.map((org_id) => ({
      ...{ id: newId(), org_id, grant_id: null, url: 'https://acme.com/', description: null, events: [] },
      ...{ is_active: false, disabled_reason: null, secret: 'none', old_secret: null, old_secret_expires_at: null },
      ...{ failing_since: null, failed_attempts: 0, created_at: now, updated_at: now },
    }))
    await insertRows(tx, 'webhook_endpoints', endpoints)
    const deliveries = endpoints.map(({ org_id, id }) => ({
      ...{ org_id, endpoint_id: id, id: newId(), event_id: null, type: 'webhook.test', test_payload: {} },
      ...{ status: 'pending' as const, attempt_count: 0, next_attempt_at: now, delivered_at: null, created_at: now },
    }))
    await insertRows(tx, 'webhook_deliveries', deliveries)
  })
}

/** A request with an Idempotency-Key that waits for a lock too long was not answered by another request. */
async function lockedRow(stage: Stage): Promise<Finding> {
  const { client, orgId } = await stage.createTenant('observer')
  const base = await client.post('/v1/knowledge-bases', { name: 'Care' })
  const article = await client.post('/v1/articles', { knowledge_base_id: base.body.id, title: 'Oiling' })
  let waiting: ReturnType<typeof client.post> | undefined
  await stage.database.write(async (tx) => {
    await lockRow(tx, orgId, 'articles', article.body.id)
    waiting = client.post(`/v1/articles/${article.body.id}/versions`, {}, { 'idempotency-key': 'locked' })
    await Promise.race([waiting, sleep(LOCKED_MS)])
  })
  const reply = await waiting
  const isRight = reply?.status === 503 && reply.headers.has('retry-after')
  return { holds: isRight, figures: `locked row: ${reply?.status}` }
}
