import { median, printTable, ratio, whole } from '../support/table.ts'
import { type BareSender, startBareSender } from './bare.ts'
import type { WebhookReceiver } from './receiver.ts'
import { ENDPOINTS_EACH, type Measured, ORGANISATIONS, toMeasured, WebhookSender } from './sender.ts'
import { EVENT, type WebhookService } from './service.ts'

/** The service's own limit per endpoint. */
const IN_FLIGHT_PER_ENDPOINT = 8
/** Enough to compile the hot code. */
const WARM_UP_SHARE = 0.5
/** Has the length of a real signing secret. */
const SECRET = `whsec_${'0f'.repeat(32)}`

export interface ThroughputOptions {
  deliveries: number
  seconds: number
  rounds: number
}

interface Scenario {
  title: string
  name: string
  measure(deliveries: number): Promise<Measured>
}

/** Measures deliveries per second, compared with a loop that only sends the same requests. */
export async function compareThroughput(
  receiver: WebhookReceiver,
  services: readonly WebhookService[],
  { deliveries, seconds, rounds }: ThroughputOptions,
): Promise<void> {
  await using bare = await startBareSender(receiver.host)
  await using stack = new AsyncDisposableStack()
  const senders = await Promise.all(
    services.map(async (service) => stack.use(await WebhookSender.open(service, receiver))),
  )
  const first = services[0]
  if (first === undefined) throw new Error('no service to measure')
  const scenarios: Scenario[] = [
    { title: '', name: 'bare loop', measure: (count) => measureBare(bare, receiver, first.payload, count) },
    ...senders.map((sender) => ({
      title: 'full queue',
      name: sender.name,
      measure: (count: number) => sender.drain(count),
    })),
    ...senders.map((sender) => ({
      title: 'while events are written',
      name: sender.name,
      measure: () => sender.sustain(seconds),
    })),
  ]
  const warmUp = Math.ceil((deliveries * WARM_UP_SHARE) / ENDPOINTS_EACH) * ENDPOINTS_EACH
  for (const scenario of scenarios) await scenario.measure(warmUp)
  const measured = scenarios.map((): Measured[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, scenario] of scenarios.entries()) {
      measured[index]?.push(await scenario.measure(deliveries))
    }
  }
  console.log(
    `\n${rounds} alternating rounds, medians: ${whole(deliveries)} deliveries from a full queue;` +
      ` ${seconds} s of events written at full speed. ${ORGANISATIONS} organisations × ${ENDPOINTS_EACH} endpoints` +
      ` × ${IN_FLIGHT_PER_ENDPOINT} requests in flight, ${whole(JSON.stringify(first.payload).length)} bytes each.`,
  )
  printTable(
    ['', 'sender', 'deliveries/s', 'vs bare', 'CPU/delivery', 'main thread', 'vs bare', 'other threads', 'batch'],
    scenarios.map(({ title, name }, index) => [title, name, ...toCells(measured[index] ?? [], measured[0] ?? [])]),
    2,
  )
}

/** Ratios are computed within each round, because the load on the machine changes between rounds. */
function toCells(rounds: Measured[], bare: Measured[]): string[] {
  const middle = (pick: (one: Measured, limit: Measured) => number) =>
    median(rounds.map((one, round) => pick(one, bare[round] ?? one)))
  const batch = middle((one) => one.batch)
  return [
    whole(middle(({ perSecond }) => perSecond)),
    ratio(middle((one, limit) => one.perSecond / limit.perSecond)),
    micros(middle((one) => one.mainThreadMicrosEach + one.otherThreadsMicrosEach)),
    micros(middle((one) => one.mainThreadMicrosEach)),
    ratio(middle((one, limit) => limit.mainThreadMicrosEach / one.mainThreadMicrosEach)),
    micros(middle((one) => one.otherThreadsMicrosEach)),
    Number.isFinite(batch) ? whole(batch) : '',
  ]
}

async function measureBare(
  bare: BareSender,
  receiver: WebhookReceiver,
  payload: object,
  count: number,
): Promise<Measured> {
  const urls = Array.from({ length: ORGANISATIONS * ENDPOINTS_EACH }, (_, n) => receiver.url(`/hook-${n}`))
  await receiver.reset()
  const before = await bare.usage()
  await bare.run({
    ...{ urls, count, type: EVENT, secret: SECRET, body: JSON.stringify(payload) },
    inFlightPerUrl: IN_FLIGHT_PER_ENDPOINT,
  })
  const { firstAtMs, lastAtMs } = await receiver.waitFor(count)
  return toMeasured((count / (lastAtMs - firstAtMs)) * 1000, count, before, await bare.usage())
}

const micros = (value: number): string => `${value.toFixed(1)} µs`
