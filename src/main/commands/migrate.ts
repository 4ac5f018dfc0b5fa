import type { Command } from 'commander'
import { migrate } from '../../platform/db/migrate.ts'
import { readConfig } from '../config.ts'
import { withNewDatabase } from '../open-database.ts'
import { plural, print } from '../output.ts'

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .summary('bring the database up to date')
    .description(
      `Takes the steps that the database still lacks, and makes the database when there is none in DATA_DIR.
\`waymark start\` does the same by itself; this is for whoever wants to do it beforehand.`,
    )
    .action(async (_options: object, command: Command) => {
      const migrations = await withNewDatabase(readConfig(), migrate)
      const text =
        migrations.length === 0
          ? 'Nothing to do: the database is up to date.'
          : `${plural(migrations.length, 'step')} done:\n${migrations.map((name) => `  ${name}`).join('\n')}`
      print(command, { migrations }, text)
    })
}
