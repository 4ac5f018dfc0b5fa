/** Codes of Node: the disk is full, a quota is used up, or a file has the largest size that the process may write. */
const NODE_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG']
/** The code of PostgreSQL for a full disk. */
const POSTGRES_CODE = '53100'
/** The primary code of SQLite for a full disk, and its code for a write that failed for another reason, such as a quota. */
const SQLITE_FULL = 13
const SQLITE_WRITE_FAILED = 778

const CAUSES_MAX = 5

/** Whether something cannot be written because there is no room for it. */
export function isOutOfSpace(error: unknown): boolean {
  let current = error
  for (let depth = 0; depth < CAUSES_MAX && typeof current === 'object' && current !== null; depth++) {
    const { code, errcode = 0, cause } = current as { code?: unknown; errcode?: number; cause?: unknown }
    if (NODE_CODES.includes(code) || code === POSTGRES_CODE) return true
    if (errcode === SQLITE_WRITE_FAILED || (errcode & 0xff) === SQLITE_FULL) return true
    current = cause
  }
  return false
}
