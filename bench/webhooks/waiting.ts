import type { Database } from '../../src/platform/db/index.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { LatencyHistogram } from '../support/latency-histogram.ts'
import type { Tenant } from '../support/service.ts'
import { ms, printTable, ratio, whole } from '../support/table.ts'
import { fillDeliveries, type Heap } from './fill.ts'
import { type Look, timeLook } from './looks.ts'
import { printPlans } from './plans.ts'
import { HANG, type WebhookReceiver } from './receiver.ts'
import { OTHER_EVENT, type WebhookService } from './service.ts'

const EVENTS = 200
/** Until the hot code is compiled. */
const WARM_UP_EVENTS = 300

interface Measured {
  name: string
  latencies: LatencyHistogram
  look: Look
}

/** What an event costs while a million deliveries wait for somebody else, or for their time. */
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
    look: await timeLook(database),
  })
  const fill = async (heap: Heap) => {
    console.error(`${service.engine}: storing ${whole(rows)} deliveries.`)
    await fillDeliveries(database, heap, rows)
  }

  await service.subscribe(alone, receiver.url('/alone'))
  await service.subscribe(crowded, receiver.url('/beside'))
  const heap = await service.subscribe(crowded, receiver.url(HANG), OTHER_EVENT)
  const later = await service.subscribe(retrying, receiver.url('/later'))
  await service.change(heap, { isActive: false })
  await timeEvents(service, receiver, alone, WARM_UP_EVENTS)
  const nothing = await measure('nothing waits', alone)

  await fill({ orgId: crowded.orgId, endpointId: heap.id, kind: 'new' })
  const measured = [
    await measure('for a paused endpoint of another organisation', alone),
    await measure('for a paused endpoint beside it', crowded),
  ]
  await service.change(heap, { isActive: true })
  measured.push(
    await measure('for a hanging endpoint of another organisation', alone),
    await measure('for a hanging endpoint beside it', crowded),
  )
  await service.change(heap, { isActive: false })
  await fill({ orgId: retrying.orgId, endpointId: later.id, kind: 'retry' })
  measured.push(
    await measure('… and as many for tomorrow, elsewhere', alone),
    await measure('… and as many for tomorrow, at the endpoint', retrying),
  )
  printTable(
    [`${service.engine}, ${whole(rows)} wait`, 'event p50', 'p99', 'of nothing', 'a look', 'of nothing', 'due'],
    [nothing, ...measured].map((one) => toRow(one, nothing)),
  )
  if (withPlans) await printPlans(service.engine, service.location, retrying.orgId, later.id)
}

/** One after another: from the commit of an event, which is included, to the arrival of its delivery. */
async function timeEvents(
  service: WebhookService,
  receiver: WebhookReceiver,
  tenant: Tenant,
  count: number,
): Promise<LatencyHistogram> {
  const latencies = new LatencyHistogram()
  for (let n = 0; n < count; n++) {
    const arriving = receiver.expect(1)
    const writtenAtMs = await service.emit([tenant], 1)
    latencies.add((await arriving).firstAtMs - writtenAtMs)
  }
  return latencies
}

const toRow = ({ name, latencies, look }: Measured, nothing: Measured): string[] => [
  name,
  ms(latencies.at(0.5)),
  ms(latencies.at(0.99)),
  `× ${ratio(latencies.at(0.5) / nothing.latencies.at(0.5))}`,
  ms(look.ms),
  `× ${ratio(look.ms / nothing.look.ms)}`,
  whole(look.found),
]

const disposable = (database: Database): Database & AsyncDisposable =>
  Object.assign(database, { [Symbol.asyncDispose]: () => database.close() })
