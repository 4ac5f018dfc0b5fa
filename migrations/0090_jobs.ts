import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** What has a destination. */
const OWNERS = ['qr_codes', 'qr_groups', 'objects', 'products']

/** Long work that organisations have asked for, and what became of each thing that it is about. */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .createTable('jobs')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('kind', types.text, (column) => column.notNull())
    .addColumn('areas', types.text, (column) => column.notNull())
    .addColumn('status', types.text, (column) => column.notNull())
    .addColumn('input', types.json, (column) => column.notNull())
    .addColumn('undoes', types.id)
    .addColumn('place', types.text)
    .addColumn('total', types.integer, (column) => column.notNull())
    .addColumn('done', types.integer, (column) => column.notNull())
    .addColumn('failed', types.integer, (column) => column.notNull())
    .addColumn('changed', types.integer, (column) => column.notNull())
    .addColumn('error', types.json)
    .addColumn('actor_kind', types.text, (column) => column.notNull())
    .addColumn('actor_id', types.text)
    .addColumn('actor_name', types.text, (column) => column.notNull())
    .addColumn('address', types.text)
    .addColumn('user_agent', types.text)
    .addColumn('failures', types.integer, (column) => column.notNull())
    .addColumn('due_at', types.timestamp)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('started_at', types.timestamp)
    .addColumn('finished_at', types.timestamp)
    .execute()
  const index = (table: string, name: string, columns: string, where = '') =>
    sql.raw(`create index ${table}_${name}_idx on ${table} (${columns}) ${where}`).execute(db)
  await index('jobs', 'created', 'org_id, created_at, id')
  await index('jobs', 'kind', 'org_id, kind, created_at, id')
  await index('jobs', 'status', 'org_id, status, created_at, id')
  await index('jobs', 'due', 'org_id, due_at', 'where due_at is not null')
  await index('jobs', 'finished', 'finished_at')
  // One that was cancelled or has failed may be begun again.
  await sql`create unique index jobs_undoes_key on jobs (undoes)
    where status in ('queued', 'running', 'completed')`.execute(db)

  await db.schema
    .createTable('job_items')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('job_id', types.id, (column) => column.notNull().references('jobs.id'))
    .addColumn('target_kind', types.text, (column) => column.notNull())
    .addColumn('target_id', types.id, (column) => column.notNull())
    .addColumn('name', types.text)
    .addColumn('result', types.text, (column) => column.notNull())
    .addColumn('reason', types.text)
    .addColumn('error', types.json)
    .addColumn('memo', types.json)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await index('job_items', 'job', 'job_id, id')
  await index('job_items', 'result', 'job_id, result, id')
  await index('job_items', 'created', 'created_at')

  // Lets a job go through all that an organisation has, in an order that nothing changes.
  for (const table of OWNERS) await index(table, 'org', 'org_id, id')
}
