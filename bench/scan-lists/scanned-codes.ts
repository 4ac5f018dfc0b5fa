import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { createCodes, ScanTables } from '../support/scan-tables.ts'
import { type RunningService, startService } from '../support/service.ts'
import { whole } from '../support/table.ts'

const CODES = 10_000
/** The share of all scans that one code gets. */
export const HOT_SHARE = 0.2
/** A page has this many, so that reading one takes the same, no matter how many other scans there are. */
export const COLD_SCANS = 25

export type Engine = 'SQLite' | 'PostgreSQL'

/** A service whose first organisation has codes with this many scans in total. */
export interface ScannedCodes extends AsyncDisposable {
  service: RunningService
  tables: ScanTables
  /** The ids of a code with many scans, one with few and one with none. */
  hot: string
  cold: string
  unscanned: string
}

/** Each has its own database, because the number of rows is what is compared. */
export async function startScannedCodes(engine: Engine, rows: number): Promise<ScannedCodes> {
  await using stack = new AsyncDisposableStack()
  const url = engine === 'SQLite' ? undefined : stack.use(await startPostgres()).url('postgres')
  const service = stack.use(await startService(url))
  const tables = stack.use(await ScanTables.open(service, url))
  const startedAt = performance.now()
  const { orgId } = service.first
  const hot = (await createCodes(service, CODES))[0]?.id as string
  await tables.fill(orgId, rows, { id: hot, share: HOT_SHARE })
  // Created later, so that they get none of the scans above.
  const [cold, unscanned] = (await createCodes(service, 2)).map(({ id }) => id) as [string, string]
  await tables.fill(orgId, COLD_SCANS, { id: cold, share: 1 })
  console.log(`${engine}: stored ${whole(rows)} scans in ${whole((performance.now() - startedAt) / 1000)} s`)
  const started = stack.move()
  return { service, tables, hot, cold, unscanned, [Symbol.asyncDispose]: () => started.disposeAsync() }
}
