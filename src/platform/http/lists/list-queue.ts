import { FairQueue, type LoopTurns } from '../../bounded/index.ts'
import { SECOND_MS } from '../../clock/index.ts'
import type { Metrics } from '../../telemetry/metrics.ts'

/** While others send requests, an organisation runs one list for every ten connections to the database. */
const CONNECTIONS_PER_LIST = 10
const WAITING_PER_ORG_MAX = 500
const WAIT_MS_MAX = 10 * SECOND_MS

/**
 * The queue of requests for lists. An organisation that is alone runs any number of them at once. While others send
 * requests, it runs only a few: each statement of theirs would wait until the rows of all its lists are handled.
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
