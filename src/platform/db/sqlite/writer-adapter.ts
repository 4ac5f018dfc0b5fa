import { SqliteAdapter } from 'kysely'

/** Migrations run in one transaction, so that a crash leaves none half done. Kysely assumes that SQLite cannot do that. */
export class WriterAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
