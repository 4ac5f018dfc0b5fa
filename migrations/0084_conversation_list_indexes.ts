import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/**
 * The columns of each index between the organisation and the order. The ids are last, so that PostgreSQL can be asked for an
 * order that no other index has.
 */
const INDEXES = {
  state: 'status, priority',
  assigned: 'status, priority, assigned_to',
  chatbot: 'status, priority, chatbot_id',
  assigned_chatbot: 'status, priority, assigned_to, chatbot_id',
}

/** Lists with several filters read ranges of one index, instead of one filter's rows to check the others. */
export const up: MigrationStep = async (db) => {
  for (const order of ['created', 'active']) {
    for (const name of ['status', 'priority', 'chatbot', 'assigned'])
      await db.schema.dropIndex(`conversations_${name}_${order}_idx`).execute()
    for (const [name, columns] of Object.entries(INDEXES)) {
      await sql
        .raw(`create index conversations_${name}_${order}_idx on conversations (org_id, ${columns}, ${order}_at, id)`)
        .execute(db)
    }
  }
}
