import { DatabaseSync } from 'node:sqlite'

/** How long a connection waits for another process that writes (the command line beside the service). */
const BUSY_TIMEOUT_MS = 5000

const CHECKPOINT_PAGES = 4000

/** At every commit SQLite walks through the writer's cache: a tenth of the writer's time with the reader's size. */
const CACHE_KIB = { read: 65_536, write: 16_384 }

/** A reader finds its pages without a call to the system. The writer gains nothing, and would hold the file twice. */
const MAPPED_BYTES = { read: 268_435_456, write: 0 }

export function connect(file: string, mode: 'read' | 'write'): DatabaseSync {
  const connection = new DatabaseSync(file, {
    readOnly: mode === 'read',
    timeout: BUSY_TIMEOUT_MS,
    enableForeignKeyConstraints: true,
  })
  if (mode === 'write') {
    // FULL: a commit returns only after the disk has it. Anything less loses acknowledged rows at a power cut.
    connection.exec('pragma journal_mode = wal; pragma synchronous = full')
    // A page that is written again and again is brought into the database once for each of these many pages of the
    // log. Larger is cheaper, and each time takes longer.
    connection.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  }
  connection.exec(
    `pragma cache_size = -${CACHE_KIB[mode]}; pragma temp_store = memory; pragma mmap_size = ${MAPPED_BYTES[mode]}`,
  )
  return connection
}
