import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

const TRIGGER = 'organisations_revision_update'
/** A revision never occurs twice, as in migration 0015. */
const SQLITE = { slot: '0', revision: 'hex(randomblob(6))' }
const POSTGRES = {
  slot: 'pg_backend_pid() % 16',
  revision: `left(md5(pg_current_xact_id() || ' ' || now()), 12)`,
}

/** The colours, the corner radius and the backgrounds of an organisation. Its help centres show them, its logo and its name. */
export const up: MigrationStep = async (db, types, engine) => {
  await db.schema
    .alterTable('organisations')
    .addColumn('brand', types.json, (column) => column.notNull().defaultTo('{}'))
    .execute()
  const { slot, revision } = engine === 'sqlite' ? SQLITE : POSTGRES
  const change = `insert into knowledge_base_revisions (knowledge_base_id, slot, org_id, revision)
    select k.id, ${slot}, k.org_id, ${revision} from knowledge_bases k where k.org_id = new.id order by k.id
    on conflict (knowledge_base_id, slot) do update set revision = excluded.revision
    where knowledge_base_revisions.revision <> excluded.revision`
  const after = `create trigger ${TRIGGER} after update of name, logo_url, brand on organisations`
  if (engine === 'sqlite') {
    await sql.raw(`${after} begin ${change}; end`).execute(db)
    return
  }
  await sql
    .raw(`create function ${TRIGGER}() returns trigger language plpgsql as $$ begin ${change}; return null; end $$`)
    .execute(db)
  await sql.raw(`${after} for each row execute function ${TRIGGER}()`).execute(db)
}
