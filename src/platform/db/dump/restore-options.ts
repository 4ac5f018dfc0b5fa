import type { SecretKeys } from '../../keyring/index.ts'
import type { Db, Tx } from '../types.ts'
import type { OnProgress } from './backup.ts'
import type { TablesLeftOut } from './catalogue.ts'
import type { FileStart } from './format.ts'

export interface RestoreOptions {
  secretKeys: SecretKeys
  nowMs: number
  tablesLeftOut: TablesLeftOut
  /**
   * Says how many rows each table may have in a database that still counts as empty. They are deleted. Not for the rows of an
   * older version: it would have to know the tables of that time.
   */
  countReplaceable?: (db: Db) => Promise<Readonly<Record<string, number>>>
  onProgress?: OnProgress
  /**
   * Stores a file of the backup. Runs in the same transaction, after all rows: if it fails, the database stays empty. A file
   * that is stored again after such a failure replaces itself.
   */
  restoreFile?: (tx: Tx, file: FileStart, content: AsyncIterable<Buffer>) => Promise<void>
  /** Starts rebuilding data that is derived from the rows and not in the backup. Runs in the same transaction. */
  rebuild?: (tx: Tx) => Promise<void>
}
