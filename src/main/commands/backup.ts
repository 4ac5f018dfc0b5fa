import { resolve } from 'node:path'
import type { Command } from 'commander'
import { systemClock, timestamp } from '../../platform/clock/index.ts'
import { writeBackup } from '../../platform/db/dump/backup.ts'
import { readConfig } from '../config.ts'
import { withDatabase } from '../open-database.ts'
import { plural, print, progress } from '../output.ts'
import { TABLES_LEFT_OUT } from '../tables-left-out.ts'
import { WAYMARK_VERSION } from '../version.ts'

export function addBackup(program: Command): void {
  program
    .command('backup')
    .summary('save the whole database to one file')
    .description(
      `Saves a snapshot of the whole database to one file. The service may keep running.
The file gets its final name only when it is complete. It contains secrets, so only you can read it: keep it safe.

The format is the same for both databases. To move from the embedded database to PostgreSQL, make a backup, set
DATABASE_URL to an empty PostgreSQL database, and restore. The other direction works too.

Product images are files, not rows: copy the folder assets in DATA_DIR as well.

SECRET_KEY is not in the file. If you have set one, store it separately: the backup cannot be restored without it.`,
    )
    .argument('<file>', 'file to write, such as waymark.backup.gz')
    .option('--force', 'replace the file if it exists')
    .action(async (name: string, { force = false }: { force?: boolean }, command: Command) => {
      const file = resolve(name)
      const { note, end } = progress(command, 'Saved')
      const now = timestamp(systemClock())
      const { rows, bytes } = await withDatabase(readConfig(), (database) =>
        writeBackup(database, file, {
          waymark: WAYMARK_VERSION,
          now,
          tablesLeftOut: TABLES_LEFT_OUT,
          force,
          signal: stopSignal(),
          onProgress: note,
        }),
      ).finally(end)
      const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
      print(
        command,
        { file, bytes, created_at: now, total_rows: total, rows },
        `Saved ${plural(total, 'row')} to ${file} (${(bytes / 1e6).toFixed(1)} MB).`,
      )
    })
}

/** On Ctrl-C the backup aborts and removes its partial file. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
  return controller.signal
}
