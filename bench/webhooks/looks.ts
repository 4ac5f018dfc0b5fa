import { selectDueOrganisations } from '../../src/modules/webhooks/webhook-deliveries/index.ts'
import { timestamp } from '../../src/platform/clock/index.ts'
import type { Database } from '../../src/platform/db/index.ts'
import { median } from '../support/table.ts'

const LOOKS = 40
/** Until PostgreSQL has settled on a plan, and the pages are in memory. */
const WARM_UP_LOOKS = 10

export interface Look {
  ms: number
  found: number
}

/** One look of the worker for organisations with something due: the middle of many. */
export const timeLook = (database: Database): Promise<Look> =>
  timeQuery(async () => (await selectDueOrganisations(database.readLong, timestamp(Date.now()))).length)

export async function timeQuery(query: () => Promise<number>): Promise<Look> {
  for (let n = 0; n < WARM_UP_LOOKS; n++) await query()
  const times: number[] = []
  let found = 0
  for (let n = 0; n < LOOKS; n++) {
    const startedAt = performance.now()
    found = await query()
    times.push(performance.now() - startedAt)
  }
  return { ms: median(times), found }
}
