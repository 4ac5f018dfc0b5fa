import type { Command } from 'commander'
import { migrate } from '../../platform/db/migrate.ts'
import type { ReadSettings } from '../config.ts'
import { withNewDatabase } from '../open-database.ts'
import { plural, print } from '../output.ts'

export function addMigrate(program: Command, readSettings: ReadSettings): void {
  program
    .command('migrate')
    .summary('migrate the database')
    .description(
      `Applies all pending migrations, and creates the database if there is none in DATA_DIR. \`npx waymark start\` does the
same; use this command to migrate before you start a new version.`,
    )
    .action(async (_options: object, command: Command) => {
      const migrations = await withNewDatabase(readSettings(), migrate)
      const text =
        migrations.length === 0
          ? 'Nothing to do: the database is up to date.'
          : `Applied ${plural(migrations.length, 'migration')}:\n${migrations.map((name) => `  ${name}`).join('\n')}`
      print(command, { migrations }, text)
    })
}
