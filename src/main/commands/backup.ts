import { resolve } from 'node:path'
import type { Command } from 'commander'
import { systemClock, timestamp } from '../../platform/clock/index.ts'
import { writeBackup } from '../../platform/db/dump/backup.ts'
import { readConfig } from '../config.ts'
import { withDatabase } from '../open-database.ts'
import { plural, print, progress } from '../output.ts'
import { WAYMARK_VERSION } from '../version.ts'

export function addBackup(program: Command): void {
  program
    .command('backup')
    .summary('write everything into one file, while the service runs')
    .description(
      `Writes everything that the database holds at this moment into one file. The service may run meanwhile.
The file gets its name only when it is whole. It holds secrets, so only you can read it: keep it safe.

The format is the same for both databases. To outgrow one machine, back up the embedded database, set
DATABASE_URL to an empty PostgreSQL database, and restore; the other way round works too.

Images of products are files, not rows: copy the folder assets in DATA_DIR as well.

SECRET_KEY is not in the file. If it is set, keep it apart: without it the backup cannot be used.`,
    )
    .argument('<file>', 'where to write it, such as waymark.backup.gz')
    .option('--force', 'replace the file when it exists')
    .action(async (name: string, { force = false }: { force?: boolean }, command: Command) => {
      const file = resolve(name)
      const { note, end } = progress(command, 'Saved')
      const now = timestamp(systemClock())
      const { rows, bytes } = await withDatabase(readConfig(), (database) =>
        writeBackup(database, file, {
          waymark: WAYMARK_VERSION,
          now,
          force,
          signal: stopSignal(),
          onProgress: note,
        }),
      ).finally(end)
      const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
      print(
        command,
        { file, bytes, created_at: now, total_rows: total, rows },
        `${plural(total, 'row')} saved in ${file} (${(bytes / 1e6).toFixed(1)} MB).`,
      )
    })
}

/** Stopped by Ctrl-C, it takes its half file away. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
  return controller.signal
}
