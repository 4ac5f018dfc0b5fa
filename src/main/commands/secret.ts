import type { Command } from 'commander'
import { systemClock } from '../../platform/clock/index.ts'
import { Keyring } from '../../platform/keyring/index.ts'
import type { ReadSettings } from '../config.ts'
import { withDatabase } from '../open-database.ts'
import { print } from '../output.ts'

export function addSecret(program: Command, readSettings: ReadSettings): void {
  program
    .command('secret')
    .summary('manage secrets')
    .description('Manages the secrets that sign cursors and encrypt stored responses.')
    .command('rotate')
    .summary('add a new secret; existing cursors remain valid')
    .description(
      `Adds a new secret. Older ones are kept, so cursors that clients hold remain valid and stored data can still be
decrypted. A running service uses the new secret within half a minute.`,
    )
    .action(async (_options: object, command: Command) => {
      const config = readSettings()
      const generation = await withDatabase(config, async (database) => {
        const keyring = await Keyring.load(database, config.secretKey, systemClock())
        return keyring.rotate(database, systemClock())
      })
      print(
        command,
        { generation },
        `Added secret ${generation}. Older ones are kept: cursors that clients hold remain valid.`,
      )
    })
}
