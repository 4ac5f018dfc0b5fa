import { mkdirSync } from 'node:fs'
import type { Database } from '../db/index.ts'
import type { Logger } from '../telemetry/logging.ts'
import { type EntryFormat, FileLog } from './entry-log.ts'
import { Recorder } from './recorder.ts'
import { TableLog } from './table-log.ts'

/** The folder must belong to this database alone. */
export function openRecorder<Entry>(
  database: Database,
  folder: string,
  logger: Logger,
  format: EntryFormat<Entry>,
): Recorder<Entry> {
  const files = new FileLog(folder, format, database, logger)
  if (database.engine === 'postgres')
    return new Recorder({ log: new TableLog(files, format, database, logger), format, logger })
  // From now on, an empty file of the database is a damaged one (`check-file`).
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return new Recorder({ log: files, format, logger })
}
