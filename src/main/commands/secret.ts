import type { Command } from 'commander'
import { systemClock } from '../../platform/clock/index.ts'
import { Keyring } from '../../platform/keyring/index.ts'
import { readConfig } from '../config.ts'
import { withDatabase } from '../open-database.ts'
import { print } from '../output.ts'

export function addSecret(program: Command): void {
  program
    .command('secret')
    .description('The secrets that sign cursors and encrypt stored answers.')
    .command('rotate')
    .summary('add a new secret; what older ones signed stays valid')
    .description(
      `Adds a new secret. Older ones stay, so cursors that clients hold remain valid and what is stored can still
be read. A running service uses the new one within half a minute.`,
    )
    .action(async (_options: object, command: Command) => {
      const config = readConfig()
      const generation = await withDatabase(config, async (database) => {
        const keyring = await Keyring.load(database, config.secretKey, systemClock())
        return keyring.rotate(database, systemClock())
      })
      print(
        command,
        { generation },
        `Secret ${generation} was added. Older ones stay: cursors that clients hold remain valid.`,
      )
    })
}
