import { resolve } from 'node:path'
import type { Command } from 'commander'
import { countFirstRows } from '../../modules/account/first-organisation/index.ts'
import { storeCopy } from '../../modules/assets/assets/index.ts'
import { recountScans } from '../../modules/codes/scans/index.ts'
import { reindexAll } from '../../modules/knowledge/indexing/index.ts'
import { systemClock, timestamp } from '../../platform/clock/index.ts'
import { checkBackup, restoreBackup } from '../../platform/db/dump/restore.ts'
import { openAssetStore } from '../asset-settings.ts'
import type { ReadSettings } from '../config.ts'
import { lockDataDir } from '../data-dir.ts'
import { withNewDatabase } from '../open-database.ts'
import { plural, print, progress } from '../output.ts'
import { TABLES_LEFT_OUT } from '../tables-left-out.ts'
import { storeWaitingTexts } from '../waiting-texts.ts'

export function addRestore(program: Command, readSettings: ReadSettings): void {
  program
    .command('restore')
    .summary('restore a backup into a new database')
    .description(
      `Restores a file that \`npx waymark backup\` wrote into an empty database: the embedded one or PostgreSQL, no matter
which of them the backup came from. If the restore fails or is interrupted, the database stays as it was.

A database that has only what the first start created counts as empty, as long as its API key was not used and nobody has
an account. What it has is deleted.

Stop all services that use the database first. Restore with the version of Waymark that made the backup, or a later one, which
migrates the data; for a backup of an older version, the database has to be new. SECRET_KEY must be the one that was in use when
the backup was made. If the backup was made without one, the next start encrypts its secrets with the SECRET_KEY that is set.

A backup that was made with --with-assets also restores the stored files, into DATA_DIR or the bucket of the S3_ settings,
no matter where they were before.`,
    )
    .argument('<file>', 'backup file')
    .action(async (name: string, _options: object, command: Command) => {
      const file = resolve(name)
      const config = readSettings()
      // Checked first, so that a wrong file does not leave an empty database behind.
      await checkBackup(file)
      const unlock = 'file' in config.database ? lockDataDir(config.dataDir) : () => {}
      const { note, end } = progress(command, 'Restored')
      const store = await openAssetStore(config)
      let files = 0
      try {
        const { created_at, rows } = await withNewDatabase(config, async (database) => {
          const nowMs = systemClock()
          return restoreBackup(database, file, {
            secretKeys: config,
            nowMs,
            tablesLeftOut: TABLES_LEFT_OUT,
            countReplaceable: countFirstRows,
            onProgress: note,
            restoreFile: async (tx, { file, media_type }, content) => {
              if (await storeCopy(tx, store, { name: file, mediaType: media_type }, content)) files++
            },
            rebuild: async (tx) => {
              await recountScans(tx)
              await storeWaitingTexts(tx, timestamp(nowMs))
              await reindexAll(tx, timestamp(nowMs))
            },
          })
        }).finally(end)
        const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
        print(
          command,
          { file, created_at, total_rows: total, rows, files },
          `Restored ${plural(total, 'row')}${files > 0 ? ` and ${plural(files, 'stored file')}` : ''} from the backup of ${created_at}.`,
        )
      } finally {
        unlock()
      }
    })
}
