import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** How long a connection waits for another process that writes (the CLI next to the service). */
const BUSY_TIMEOUT_MS = 5000

/**
 * How many pages a thread copies from the WAL at once. A page that changes often is copied once per checkpoint, so a
 * larger interval costs less in total, but commits wait longer for the disk.
 */
export const CHECKPOINT_PAGES = 2000
/** Usually never reached, because a thread copies the WAL earlier. It may fail to while a long read needs the WAL. */
const WRITER_CHECKPOINT_PAGES = 16_000

/**
 * SQLite walks through the writer's cache at every commit: with 64 MiB, that took a tenth of its time. A reader's cache is
 * emptied by every commit, and the mapped file serves most of its reads.
 */
const CACHE_KIB = { read: 8_192, write: 16_384 }

/** Saves readers a system call per page. The writer gains nothing and would hold the file in memory twice. */
const MAPPED_BYTES = { read: 268_435_456, write: 0 }

/** Creates the file if it is missing. */
export const connectFirst = (file: string): DatabaseSync => open(file, 'write')

/** Fails if the file is missing: a writer that is started again must not write to a new, empty database. */
export const connect = (file: string, mode: 'read' | 'write'): DatabaseSync =>
  open(`${pathToFileURL(file)}?mode=${mode === 'read' ? 'ro' : 'rw'}`, mode)

function open(file: string, mode: 'read' | 'write'): DatabaseSync {
  const connection = new DatabaseSync(file, {
    readOnly: mode === 'read',
    timeout: BUSY_TIMEOUT_MS,
    enableForeignKeyConstraints: true,
  })
  if (mode === 'write') {
    // FULL: a commit returns only once it is on disk. Anything less can lose acknowledged rows in a power cut.
    connection.exec('pragma journal_mode = wal; pragma synchronous = full')
    connection.exec(`pragma wal_autocheckpoint = ${WRITER_CHECKPOINT_PAGES}`)
  }
  connection.exec(
    `pragma cache_size = -${CACHE_KIB[mode]}; pragma temp_store = memory; pragma mmap_size = ${MAPPED_BYTES[mode]}`,
  )
  return connection
}
