import { resolve } from 'node:path'
import type { Command } from 'commander'
import { reindexAll } from '../../modules/knowledge/articles/index.ts'
import { systemClock, timestamp } from '../../platform/clock/index.ts'
import { checkBackup, restoreBackup } from '../../platform/db/dump/restore.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { readConfig } from '../config.ts'
import { lockDataDir } from '../data-dir.ts'
import { withNewDatabase } from '../open-database.ts'
import { plural, print, progress } from '../output.ts'

export function addRestore(program: Command): void {
  program
    .command('restore')
    .summary('fill an empty database from a backup')
    .description(
      `Fills an empty database from a file that \`waymark backup\` wrote, on the embedded database or on PostgreSQL,
whichever of the two it came from. All or nothing: when it fails or is stopped, the database stays empty.

No service may run on the data meanwhile. The version of Waymark must be the one that made the backup; a later
one then brings the data up to date when it starts. SECRET_KEY must be what it was when the backup was made.`,
    )
    .argument('<file>', 'the backup')
    .action(async (name: string, _options: object, command: Command) => {
      const file = resolve(name)
      const config = readConfig()
      // A wrong file should not leave an empty database behind.
      await checkBackup(file)
      const unlock = 'file' in config.database ? lockDataDir(config.dataDir) : () => {}
      const { note, end } = progress(command, 'Restored')
      try {
        const { created_at, rows } = await withNewDatabase(config, async (database) => {
          await migrate(database)
          const { secretKey } = config
          const nowMs = systemClock()
          return restoreBackup(database, file, {
            secretKey,
            nowMs,
            onProgress: note,
            rebuild: (tx) => reindexAll(tx, timestamp(nowMs)),
          })
        }).finally(end)
        const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
        print(
          command,
          { file, created_at, total_rows: total, rows },
          `${plural(total, 'row')} restored, as they were at ${created_at}.`,
        )
      } finally {
        unlock()
      }
    })
}
