import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Gauge, type Registry } from 'prom-client'
import { SECOND_MS, type Timestamp, toMs } from '../platform/clock/index.ts'

/** In DATA_DIR, because a backup is made by another process, and must not change the database that it saves. */
const FILE = 'last-backup'

/** Remembers when the newest complete backup was begun. */
export async function noteBackup(dataDir: string, startedAt: Timestamp): Promise<void> {
  const file = join(dataDir, FILE)
  // Renamed, so that the service never reads half of it.
  await writeFile(`${file}.partial`, startedAt)
  await rename(`${file}.partial`, file)
}

/** Shows when that was. 0 means never, so that an alert about its age also notices that there is none. */
export function watchLastBackup(registry: Registry, dataDir: string): void {
  new Gauge({
    name: 'waymark_last_backup_timestamp_seconds',
    help: 'When the newest complete backup was begun, in Unix time. 0 if none is known.',
    registers: [registry],
    async collect() {
      const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => '')
      const startedMs = toMs(text)
      this.set(Number.isFinite(startedMs) ? startedMs / SECOND_MS : 0)
    },
  })
}
