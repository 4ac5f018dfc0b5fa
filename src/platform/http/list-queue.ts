import { FairQueue, type LoopTurns } from '../bounded/index.ts'
import { SECOND_MS } from '../clock/index.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** Of this many connections to the database, an organisation uses one at a time for lists. */
const CONNECTIONS_PER_LIST = 10
const WAITING_PER_ORG_MAX = 500
const WAIT_MS_MAX = 10 * SECOND_MS

/**
 * The queue of requests for lists. An organisation alone may have any number of them running. While others send requests,
 * too, it has only a few: between two statements, their requests would wait for the rows of all its lists.
 */
export function createListQueue(databaseConnections: number, turns: LoopTurns, metrics: Metrics): FairQueue {
  const sharedMax = Math.ceil(databaseConnections / CONNECTIONS_PER_LIST)
  const queue = new FairQueue({
    runningMax: Number.POSITIVE_INFINITY,
    runningPerKeyMax: (orgId) => (turns.isShared(orgId) ? sharedMax : Number.POSITIVE_INFINITY),
    waitingPerKeyMax: WAITING_PER_ORG_MAX,
    waitMsMax: WAIT_MS_MAX,
  })
  queue.onRefused = () => metrics.refused.inc({ limit: 'lists' })
  metrics.watchQueue('lists', queue)
  return queue
}
