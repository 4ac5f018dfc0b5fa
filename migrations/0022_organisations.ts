import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Settings of organisations, all slugs that they ever had, and when they will be deleted. */
export const up: MigrationStep = async (db, types) => {
  const add = (name: string, type: typeof types.text, initial?: string) =>
    db.schema
      .alterTable('organisations')
      .addColumn(name, type, (column) => (initial === undefined ? column : column.notNull().defaultTo(initial)))
      .execute()
  await add('default_language', types.text, 'en')
  await add('time_zone', types.text, 'UTC')
  await add('logo_url', types.text)
  await add('deletes_at', types.timestamp)
  await db.schema
    .createIndex('organisations_deletes_idx')
    .on('organisations')
    .column('deletes_at')
    .where(sql<boolean>`deletes_at is not null`)
    .execute()

  await db.schema
    .createTable('organisation_slugs')
    .addColumn('slug', types.text, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('organisation_slugs_org_idx').on('organisation_slugs').column('org_id').execute()
  await sql`insert into organisation_slugs (slug, org_id, created_at) select slug, id, created_at from organisations`.execute(
    db,
  )
}
