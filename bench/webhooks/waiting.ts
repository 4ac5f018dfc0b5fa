import type { Database } from '../../src/platform/db/index.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { LatencyHistogram } from '../support/latency-histogram.ts'
import type { Tenant } from '../support/service.ts'
import { ms, printTable, ratio, whole } from '../support/table.ts'
import { type DeliverySet, fillDeliveries } from './fill.ts'
import { printPlans } from './plans.ts'
import { type Timing, timePoll } from './poll.ts'
import { HANG_PATH, type WebhookReceiver } from './receiver.ts'
import { OTHER_EVENT, type WebhookService } from './service.ts'

const EVENTS = 200
/** Enough to compile the hot code. */
const WARM_UP_EVENTS = 300

interface Measured {
  name: string
  latencies: LatencyHistogram
  poll: Timing
}

/** Measures how long an event takes to arrive while many other deliveries wait. */
export async function compareWaiting(
  service: WebhookService,
  receiver: WebhookReceiver,
  rows: number,
  withPlans: boolean,
): Promise<void> {
  const [alone, crowded, retrying] = service.tenants as [Tenant, Tenant, Tenant]
  await using database = disposable(await openDatabase(service.location))
  const measure = async (name: string, tenant: Tenant): Promise<Measured> => ({
    name,
    latencies: await timeEvents(service, receiver, tenant, EVENTS),
    poll: await timePoll(database),
  })
  const fill = async (set: DeliverySet) => {
    console.error(`${service.engine}: storing ${whole(rows)} deliveries`)
    await fillDeliveries(database, set, rows)
  }

  await service.subscribe(alone, receiver.url('/alone'))
  await service.subscribe(crowded, receiver.url('/beside'))
  const backlog = await service.subscribe(crowded, receiver.url(HANG_PATH), OTHER_EVENT)
  const later = await service.subscribe(retrying, receiver.url('/later'))
  await service.change(backlog, { isActive: false })
  await timeEvents(service, receiver, alone, WARM_UP_EVENTS)
  const baseline = await measure('no backlog', alone)

  await fill({ orgId: crowded.orgId, endpointId: backlog.id, kind: 'new' })
  const measured = [
    await measure('paused endpoint of another organisation', alone),
    await measure('paused endpoint of the same organisation', crowded),
  ]
  await service.change(backlog, { isActive: true })
  measured.push(
    await measure('hanging endpoint of another organisation', alone),
    await measure('hanging endpoint of the same organisation', crowded),
  )
  await service.change(backlog, { isActive: false })
  await fill({ orgId: retrying.orgId, endpointId: later.id, kind: 'retry' })
  measured.push(
    await measure('… plus as many retries due tomorrow, another organisation', alone),
    await measure('… plus as many retries due tomorrow, same endpoint', retrying),
  )
  printTable(
    [`${service.engine}, backlog of ${whole(rows)}`, 'event p50', 'p99', 'vs none', 'poll', 'vs none', 'due'],
    [baseline, ...measured].map((one) => toRow(one, baseline)),
  )
  if (withPlans) await printPlans(service.engine, service.location, retrying.orgId, later.id)
}

/** Times events one after the other, from just before the commit to the arrival of the delivery. */
async function timeEvents(
  service: WebhookService,
  receiver: WebhookReceiver,
  tenant: Tenant,
  count: number,
): Promise<LatencyHistogram> {
  const latencies = new LatencyHistogram()
  for (let n = 0; n < count; n++) {
    await receiver.reset()
    const writtenAtMs = await service.emit([tenant], 1)
    latencies.add((await receiver.waitFor(1)).firstAtMs - writtenAtMs)
  }
  return latencies
}

const toRow = ({ name, latencies, poll }: Measured, baseline: Measured): string[] => [
  name,
  ms(latencies.at(0.5)),
  ms(latencies.at(0.99)),
  `× ${ratio(latencies.at(0.5) / baseline.latencies.at(0.5))}`,
  ms(poll.ms),
  `× ${ratio(poll.ms / baseline.poll.ms)}`,
  whole(poll.rows),
]

const disposable = (database: Database): Database & AsyncDisposable =>
  Object.assign(database, { [Symbol.asyncDispose]: () => database.close() })
