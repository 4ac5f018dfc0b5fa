import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

const STATE = 'status, flagged, priority, created_at, id'
/** Behind the order, each index has the columns after its own, which are checked there. */
const IDS = ['assignee_id', 'qr_code_id', 'object_id', 'product_id', 'page_id']

/** Lists with several filters read ranges of one index, instead of one filter's rows to check the others. */
export const up: MigrationStep = async (db) => {
  const replaced = ['status', 'flagged', 'priority', 'assignee', 'qr_code', 'object', 'product']
  for (const name of replaced) await db.schema.dropIndex(`submissions_${name}_idx`).execute()
  const create = (name: string, columns: string) =>
    sql.raw(`create index submissions_${name}_idx on submissions (org_id, ${columns})`).execute(db)
  await create('state', STATE)
  await create('page_state', `page_id, ${STATE}`)
  for (const [place, column] of IDS.slice(0, -1).entries()) {
    const others = IDS.slice(place + 1).join(', ')
    await sql
      .raw(
        `create index submissions_${column.replace(/_id$/, '')}_idx
         on submissions (org_id, ${column}, status, created_at, id, flagged, priority, ${others}) where ${column} is not null`,
      )
      .execute(db)
  }
}
