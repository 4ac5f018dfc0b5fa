import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../../src/platform/db/index.ts'
import type { DatabaseLocation } from '../../src/platform/db/open.ts'

/**
 * Runs maintenance that the engine would otherwise run during the measurement. On PostgreSQL through a connection of its
 * own: that of the service ends statements that take as long.
 */
export async function settle({ kysely }: Database, location: DatabaseLocation): Promise<void> {
  if ('file' in location) {
    await sql`pragma wal_checkpoint(truncate)`.execute(kysely)
    return
  }
  const client = new pg.Client({ connectionString: location.url })
  await client.connect()
  try {
    for (const statement of ['vacuum analyze', 'checkpoint']) await client.query(statement)
  } finally {
    await client.end()
  }
}
