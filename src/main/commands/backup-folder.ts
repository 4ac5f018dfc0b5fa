import { readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS, systemClock, type Timestamp } from '../../platform/clock/index.ts'

/** Names that sort by time. Nothing else in the folder is touched. */
const OWN_NAME = /^waymark-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.gz$/
const OWN_PARTIAL = /^waymark-.+Z\.gz\.partial$/

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Such as `waymark-2026-11-18T03-00-00Z.gz`. A colon is not allowed in names of files on Windows. */
export const nameOfBackup = (now: Timestamp): string => `waymark-${now.slice(0, 19).replaceAll(':', '-')}Z.gz`

/**
 * Deletes all but the newest backups, and what killed ones left. Returns the names of the deleted backups. Never deletes the
 * one that was just made: if the clock was set back, its name is not the newest.
 */
export async function deleteOldBackups(folder: string, made: string, keep: number): Promise<string[]> {
  const names = readdirSync(folder)
  const others = names.filter((name) => OWN_NAME.test(name) && name !== made).sort()
  const old = others.slice(0, Math.max(0, others.length - (keep - 1)))
  // Another process may be writing a younger one.
  const abandoned = names.filter((name) => OWN_PARTIAL.test(name) && isOlderThanDay(join(folder, name)))
  for (const name of [...old, ...abandoned]) await rm(join(folder, name), { force: true })
  return old
}

const isOlderThanDay = (path: string): boolean => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && systemClock() - stats.mtimeMs > DAY_MS
}
