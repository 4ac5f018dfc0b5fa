import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { DamagedDatabase } from '../failures.ts'
import { connect } from './connect.ts'
import { toConnectError } from './failures.ts'

/** To read more than this would delay the start. `waymark doctor` reads all of it. */
const CHECKED_BYTES_MAX = 64 * 1024 * 1024

/** Folders beside the file that the service creates after it has a database. */
const LATER = ['scans', 'assets']

/**
 * Throws `DamagedDatabase` if the file cannot be used as it is. Changes nothing: SQLite itself would go on without what is
 * missing, or copy the WAL into a damaged file. Call it before the database is opened.
 */
export function checkFile(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  if (size === undefined) return
  if (size === 0) {
    if (LATER.some((name) => existsSync(join(dirname(file), name)))) throw new DamagedDatabase('it is empty', undefined)
    return
  }
  // The last process to close the database removes both files, this one first. One that is killed leaves both.
  if (existsSync(`${file}-shm`) && !existsSync(`${file}-wal`)) {
    const remedy = `Put it back. Only to go on without these changes, remove ${file}-shm`
    throw new DamagedDatabase(`${file}-wal, which has the last changes, is missing. ${remedy}`, undefined)
  }
  checkPages(file, size <= CHECKED_BYTES_MAX)
}

function checkPages(file: string, all: boolean): void {
  let connection: DatabaseSync | undefined
  try {
    connection = connect(file, 'read')
    // The shortest statement that reads the header and the schema.
    const problems = connection.prepare(all ? 'pragma quick_check(1)' : 'select count(*) from sqlite_schema').all()
    const [problem] = problems.flatMap(({ quick_check }) => quick_check ?? [])
    if (problem !== undefined && problem !== 'ok')
      throw new DamagedDatabase(String(problem).replaceAll(/\s+/g, ' '), undefined)
  } catch (error) {
    throw toConnectError(error)
  } finally {
    connection?.close()
  }
}
