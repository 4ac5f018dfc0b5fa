import { SECOND_MS, type Timestamp, toMs } from '../../../platform/clock/index.ts'
import { type DatabaseGauge, watchDatabase } from '../../../platform/telemetry/database-gauges.ts'
import { type Backlog, selectBacklog } from '../webhook-deliveries/index.ts'
import type { DeliveryServices } from './dispatcher.ts'

/** Shows how much waits to be sent, and for how long. */
export function watchBacklog({ database, clock, metrics }: DeliveryServices): void {
  const waiting: DatabaseGauge<Backlog> = {
    name: 'webhook_deliveries_waiting',
    help: 'Webhook deliveries of the whole installation that are not sent yet.',
    labelNames: ['state'],
    valuesOf: (backlog) => [
      { labels: { state: 'new' }, value: backlog.new },
      { labels: { state: 'retry' }, value: backlog.retry },
      { labels: { state: 'held' }, value: backlog.held },
      { labels: { state: 'not_created' }, value: backlog.notCreated },
    ],
  }
  const oldest: DatabaseGauge<Backlog> = {
    name: 'webhook_oldest_seconds',
    help: 'Age of the oldest event that waits for its first attempt.',
    valuesOf: ({ oldestNew }) => [{ value: oldestNew === null ? 0 : ageOf(oldestNew, clock()) }],
  }
  watchDatabase(metrics.registry, () => selectBacklog(database.readLong), [waiting, oldest])
}

const ageOf = (time: string, nowMs: number): number => Math.max(0, nowMs - toMs(time as Timestamp)) / SECOND_MS
