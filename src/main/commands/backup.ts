import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { countStoredFiles, readStoredFiles } from '../../modules/assets/assets/index.ts'
import { systemClock, timestamp } from '../../platform/clock/index.ts'
import { writeBackup } from '../../platform/db/dump/backup.ts'
import { OperatorError } from '../../platform/errors/operator-error.ts'
import { thisBuild } from '../../platform/telemetry/build.ts'
import { openAssetStore } from '../asset-settings.ts'
import type { ReadSettings } from '../config.ts'
import { noteBackup } from '../last-backup.ts'
import { withDatabase } from '../open-database.ts'
import { plural, print, progress } from '../output.ts'
import { TABLES_LEFT_OUT } from '../tables-left-out.ts'
import { readWaitingTexts } from '../waiting-texts.ts'
import { deleteOldBackups, isFolder, nameOfBackup } from './backup-folder.ts'

export function addBackup(program: Command, readSettings: ReadSettings): void {
  program
    .command('backup')
    .summary('save the whole database to one file')
    .description(
      `Saves a snapshot of the whole database to one file. The service may keep running.
The file gets its final name only when it is complete. It contains secrets, so only you can read it: keep it safe.

If you name an existing folder, the file gets a name with the time, and --keep deletes all but the newest of such files
there, once the new one is complete. Run it daily, and alert on the metric waymark_last_backup_timestamp_seconds.

The format is the same for both databases. To move from the embedded database to PostgreSQL, make a backup, set
DATABASE_URL to an empty PostgreSQL database, and restore. The other direction works too.

Stored files, such as product images and uploads, are not in the database. With --with-assets, the backup has them as well;
without, it says how many it leaves out, and you have to copy the folder assets in DATA_DIR or the bucket yourself.

SECRET_KEY is not in the file. If you have set one, store it separately: the backup cannot be restored without the value of that
time. docs/versions.md says which versions can restore it.`,
    )
    .argument('<file>', 'file to write, such as waymark.backup.gz, or a folder')
    .option('--with-assets', 'include all stored files')
    .option('--force', 'replace the file if it exists')
    .option('--keep <n>', 'in a folder: keep this many backups, and delete older ones', toCount)
    .action(async (name: string, { force = false, withAssets = false, keep }: BackupFlags, command: Command) => {
      const now = timestamp(systemClock())
      const folder = isFolder(name) ? resolve(name) : undefined
      if (keep !== undefined && folder === undefined) {
        throw new OperatorError(`${resolve(name)} is not a folder. --keep needs one: create it first.`)
      }
      const made = nameOfBackup(now)
      const file = folder === undefined ? resolve(name) : join(folder, made)
      const config = readSettings()
      const store = await openAssetStore(config)
      const { note, end } = progress(command, 'Saved')
      const stop = listenForStop()
      let missing = 0
      const { rows, bytes, assets } = await withDatabase(config, async (database) => {
        const assets = await countStoredFiles(database.readLong)
        const waiting = await readWaitingTexts(config.dataDir, systemClock())
        const files = () => readStoredFiles(database, store, () => missing++)
        const written = await writeBackup(database, file, {
          build: thisBuild(),
          now,
          tablesLeftOut: TABLES_LEFT_OUT,
          moreRows: { journal_texts: waiting },
          force,
          signal: stop.signal,
          onProgress: note,
          ...(withAssets && { files }),
        })
        return { ...written, assets }
      }).finally(() => {
        stop.end()
        end()
      })
      const isNoted = await noteBackup(config.dataDir, now).then(
        () => true,
        () => false,
      )
      const deleted = folder === undefined || keep === undefined ? [] : await deleteOldBackups(folder, made, keep)
      const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
      print(
        command,
        {
          ...{ file, bytes, created_at: now, total_rows: total, rows, deleted },
          assets: { ...assets, included: withAssets, missing },
        },
        [
          `Saved ${plural(total, 'row')} to ${file} (${toMegabytes(bytes)}).`,
          ...describeAssets(assets, withAssets, missing),
          ...(deleted.length === 0 ? [] : [`Deleted ${plural(deleted.length, 'older backup')}.`]),
          ...(isNoted
            ? []
            : [`${config.dataDir} cannot be written, so the metric of the last backup does not change.`]),
        ].join('\n'),
      )
    })
}

interface BackupFlags {
  force?: boolean
  keep?: number
  withAssets?: boolean
}

function toCount(value: string): number {
  if (!/^[1-9]\d{0,4}$/.test(value)) throw new InvalidArgumentError('It must be a whole number of at least 1.')
  return Number(value)
}

const toMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

function describeAssets(
  { count, bytes }: { count: number; bytes: number },
  included: boolean,
  missing: number,
): string[] {
  if (count === 0) return []
  const files = `${plural(count, 'stored file')} (${toMegabytes(bytes)})`
  if (!included) return [`Left out: ${files}. Copy them as well, or make the backup with --with-assets.`]
  const lost = missing === 0 ? [] : [`Missing in the store, and so in the backup: ${plural(missing, 'file')}.`]
  return [`It includes ${files}.`, ...lost]
}

/** On Ctrl-C the backup aborts and removes its partial file. */
function listenForStop(): { signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const names = ['SIGINT', 'SIGTERM'] as const
  const abort = () => controller.abort()
  for (const name of names) process.once(name, abort)
  return {
    signal: controller.signal,
    end: () => {
      for (const name of names) process.off(name, abort)
    },
  }
}
