import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { createTotalTriggers } from '../src/platform/db/totals.ts'

/** What a custom domain shows at which path, and where it sends visitors with unknown codes. */
export const up: MigrationStep = async (db, types, engine) => {
  await db.schema.alterTable('custom_domains').addColumn('fallback_url', types.text).execute()
  // Finds the domain that the links of an organisation begin with.
  await db.schema
    .createIndex('custom_domains_org_verified_idx')
    .on('custom_domains')
    .column('org_id')
    .where(sql<boolean>`verified_at is not null`)
    .execute()
  await db.schema
    .createTable('custom_domain_routes')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('domain_id', types.id, (column) => column.notNull().references('custom_domains.id'))
    .addColumn('slug', types.text, (column) => column.notNull())
    .addColumn('type', types.text, (column) => column.notNull())
    // No reference: the address of something that was deleted must keep saying so.
    .addColumn('target_id', types.id, (column) => column.notNull())
    // Never changes, so a request needs no other table.
    .addColumn('public_slug', types.text, (column) => column.notNull())
    .addColumn('is_default', types.boolean, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('updated_at', types.timestamp, (column) => column.notNull())
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`custom_domain_routes_${name}`).on('custom_domain_routes').columns(columns)
  await index('domain_slug_key', ['domain_id', 'slug']).unique().execute()
  await index('domain_default_key', ['domain_id']).unique().where(sql<boolean>`is_default`).execute()
  await index('org_created_idx', ['org_id', 'created_at', 'id']).execute()
  await index('org_domain_created_idx', ['org_id', 'domain_id', 'created_at', 'id']).execute()
  await createTotalTriggers(db, 'custom_domain_routes', engine, ['domain_id'])
}
