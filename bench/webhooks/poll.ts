import { selectDueOrganisations } from '../../src/modules/webhooks/webhook-deliveries/index.ts'
import { timestamp } from '../../src/platform/clock/index.ts'
import type { Database } from '../../src/platform/db/index.ts'
import { median } from '../support/table.ts'

const RUNS = 40
/** After these, PostgreSQL has settled on a plan and the pages are in memory. */
const WARM_UP_RUNS = 10

export interface Timing {
  /** The median over all runs. */
  ms: number
  rows: number
}

/** Times the worker's query for organisations with due deliveries. */
export const timePoll = (database: Database): Promise<Timing> =>
  timeQuery(async () => (await selectDueOrganisations(database.readLong, timestamp(Date.now()))).length)

/** Times a query that returns its number of rows. */
export async function timeQuery(query: () => Promise<number>): Promise<Timing> {
  for (let n = 0; n < WARM_UP_RUNS; n++) await query()
  const times: number[] = []
  let rows = 0
  for (let n = 0; n < RUNS; n++) {
    const startedAt = performance.now()
    rows = await query()
    times.push(performance.now() - startedAt)
  }
  return { ms: median(times), rows }
}
