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
  const log = database.engine === 'sqlite' ? files : new TableLog(files, format, database, logger)
  return new Recorder({ log, format, logger })
}
