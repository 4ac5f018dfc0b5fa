/**
 * Starts the service as a user would, with three organisations. It also writes the events, because with SQLite only the
 * process that wrote an event learns of it immediately.
 */
import { devNull } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/main/config.ts'
import { startService } from '../../src/main/service.ts'
import { createKey } from '../../src/modules/account/api-keys/index.ts'
import { createOrganisation } from '../../src/modules/account/organisations/index.ts'
import { qrCodeEvents } from '../../src/modules/codes/qr-codes/index.ts'
import { timestamp } from '../../src/platform/clock/index.ts'
import { EachOf } from '../../src/platform/db/statements/each-of.ts'
import type { OrgId } from '../../src/platform/ids/index.ts'
import { emitAll } from '../../src/platform/outbox/index.ts'
import { createLogger } from '../../src/platform/telemetry/logging.ts'
import { endWithParent, reportUsage } from '../support/children.ts'
import type { Tenant } from '../support/service.ts'
import { monotonicMs } from './receiver.ts'
import { type Emission, EVENT, type Flow, type Sustained, TENANTS, type WebhookServiceReady } from './service.ts'

/** Events per transaction: as many as a busy batch of scans emits. */
const EVENTS_PER_WRITE = 50
/** The writer pauses above this backlog, so that it writes as fast as deliveries keep up. */
const BACKLOG_MAX = 4000
const PAUSE_MS = 1

const config = readConfig(process.env, devNull)
const log = createLogger(config.logLevel)
let attempts = 0
let batches = 0
const service = await startService(config, 'all', log, {
  observe: (sql, [rows]) => {
    if (!sql.startsWith('insert into "webhook_attempts"')) return
    batches++
    attempts += rows instanceof EachOf ? rows.rows.length : (rows as unknown[]).length
  },
})
endWithParent(async () => {
  await service.close()
  log.flush()
})
reportUsage(() => batches)

process.on('message', async (message: { emit?: Emission; sustain?: Flow }) => {
  if (message.emit !== undefined) {
    process.send?.({ writtenAtMs: await emit(message.emit) })
  } else if (message.sustain !== undefined) process.send?.(await sustain(message.sustain))
})

/** Returns the time just before the last commit: listeners are notified before `write` resolves. */
async function emit({ orgIds, payload, count }: Emission): Promise<number> {
  let writtenAtMs = 0
  for (let done = 0; done < count; done += EVENTS_PER_WRITE) {
    const size = Math.min(EVENTS_PER_WRITE, count - done)
    const happened = Array.from({ length: size }, (_, index) => ({
      orgId: orgIds[index % orgIds.length] as OrgId,
      type: EVENT,
      payload: payload as never,
    }))
    await service.database.write(async (tx) => {
      await emitAll(tx, qrCodeEvents, happened, timestamp(Date.now()))
      writtenAtMs = monotonicMs()
    })
  }
  return writtenAtMs
}

/** Writes events for some seconds, one transaction after the other, while they are delivered. */
async function sustain({ orgIds, payload, endpointsEach, seconds }: Flow): Promise<Sustained> {
  const attemptsBefore = attempts
  const startedAt = performance.now()
  const endAt = startedAt + seconds * 1000
  let events = 0
  while (performance.now() < endAt) {
    if (events * endpointsEach - (attempts - attemptsBefore) > BACKLOG_MAX) await sleep(PAUSE_MS)
    else {
      await emit({ orgIds, payload, count: EVENTS_PER_WRITE })
      events += EVENTS_PER_WRITE
    }
  }
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  return { events, perSecond: (attempts - attemptsBefore) / elapsedSeconds }
}

const tenants: Tenant[] = []
for (const slug of TENANTS) {
  const now = timestamp(Date.now())
  const { id } = await service.database.write((tx) => createOrganisation(tx, { name: `Bench ${slug}`, slug }, now))
  const { api_key } = await service.database.write((tx) => createKey(tx, id, { name: 'Bench' }, now))
  tenants.push({ orgId: id, apiKey: api_key })
}
process.send?.({ port: service.port, tenants } satisfies WebhookServiceReady)
