import { CompiledQuery } from 'kysely'
import {
  type Lane,
  selectDue,
  selectDueOrganisations,
  selectWaiting,
} from '../../src/modules/webhooks/webhook-deliveries/index.ts'
import { timestamp } from '../../src/platform/clock/index.ts'
import type { Db } from '../../src/platform/db/index.ts'
import { type DatabaseLocation, openDatabase } from '../../src/platform/db/open.ts'
import type { OrgId } from '../../src/platform/ids/index.ts'

const LIMIT = 40

/** Prints the query plans of the worker's queries for the current contents of the tables. */
export async function printPlans(
  title: string,
  location: DatabaseLocation,
  orgId: string,
  endpointId: string,
): Promise<void> {
  const statements: { sql: string; parameters: readonly unknown[] }[] = []
  const database = await openDatabase(location, {
    observe: (sql, parameters) => {
      if (/^\s*(?:select|with)/.test(sql)) statements.push({ sql, parameters })
    },
  })
  const now = timestamp(Date.now())
  const lane = (name: Lane) => (db: Db) => selectWaiting(db, orgId as OrgId, endpointId, name, now, LIMIT)
  const queries: Record<string, (db: Db) => Promise<unknown>> = {
    selectDueOrganisations: (db) => selectDueOrganisations(db, now),
    selectDue: (db) => selectDue(db, orgId as OrgId, now),
    'selectWaiting, new': lane('new'),
    'selectWaiting, retry': lane('retry'),
    'selectWaiting, test': lane('test'),
  }
  const isSqlite = database.engine === 'sqlite'
  const prefix = isSqlite ? 'explain query plan' : 'explain (analyze, costs off, timing off, summary off)'
  for (const [name, query] of Object.entries(queries)) {
    await query(database.read)
    for (const { sql, parameters } of statements.splice(0)) {
      const { rows } = await database.kysely.executeQuery<Record<string, string>>(
        CompiledQuery.raw(`${prefix} ${sql}`, [...parameters]),
      )
      console.log(`\n${title}, ${name}`)
      for (const row of rows) console.log(`  ${row[isSqlite ? 'detail' : 'QUERY PLAN']}`)
    }
  }
  await database.close()
}
