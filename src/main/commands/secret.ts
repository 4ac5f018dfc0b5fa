import type { Command } from 'commander'
import { systemClock } from '../../platform/clock/index.ts'
import { OperatorError } from '../../platform/errors/operator-error.ts'
import { adoptSecretKey, Keyring, removeSecretKey, rotateSecrets } from '../../platform/keyring/index.ts'
import { resealStored } from '../../platform/keyring/reseal.ts'
import type { ReadSettings } from '../config.ts'
import { withDatabase } from '../open-database.ts'
import { plural, print, progress } from '../output.ts'
import { SEALED_COLUMNS } from '../sealed-columns.ts'

export function addSecret(program: Command, readSettings: ReadSettings): void {
  const secret = program
    .command('secret')
    .summary('manage secrets and SECRET_KEY')
    .description(
      `Manages the secrets that the database stores: they sign cursors and encrypt seeds of authenticator apps, signing secrets
of webhooks, waiting mails and stored responses. SECRET_KEY encrypts these secrets themselves, so that a copy of the database
alone reveals nothing. All commands may run while the service does.`,
    )

  secret
    .command('set')
    .summary('encrypt the stored secrets with SECRET_KEY')
    .description(
      `Encrypts the stored secrets with SECRET_KEY, as the next start with this setting would. From then on, nobody can use the
database or a backup of it without this value, so keep a copy. Instances that run go on, and need it at their next start.`,
    )
    .action(async (_options: object, command: Command) => {
      const config = readSettings()
      if (config.secretKey === undefined) {
        throw new OperatorError(
          'SECRET_KEY is not set. Set it, for example to the output of `openssl rand -hex 32`, keep a copy of it, and run `npx waymark secret set` again.',
        )
      }
      const found = await withDatabase(config, async (database) => {
        await Keyring.load(database, config, systemClock())
        return adoptSecretKey(database, config)
      })
      if (found === 'former') {
        throw new OperatorError(
          'The stored secrets are encrypted with SECRET_KEY_OLD. To replace it by SECRET_KEY, run `npx waymark secret rotate`.',
        )
      }
      const changed = found === 'plain'
      const text = changed
        ? 'The stored secrets are now encrypted with SECRET_KEY. Keep a copy of it. Set it for all instances before their next start.'
        : 'Nothing to do: the stored secrets are encrypted with SECRET_KEY already.'
      print(command, { changed }, text)
    })

  secret
    .command('rotate')
    .summary('add a new secret, or replace SECRET_KEY; existing cursors remain valid')
    .description(
      `Adds a new secret and seals everything that is stored with it. Older ones are kept, so cursors that clients hold remain
valid. A running service uses the new secret within half a minute.

To replace SECRET_KEY: set SECRET_KEY to the new value and SECRET_KEY_OLD to the former one, restart all instances one after the other, run
this command, and remove SECRET_KEY_OLD. Backups from before still need the former value. If the command is interrupted, run it
again: nothing is lost.`,
    )
    .action(async (_options: object, command: Command) => {
      const config = readSettings()
      const { note, end } = progress(command, 'Sealed', 'value')
      const { generation, isReplaced, values, unreadable } = await withDatabase(config, async (database) => {
        const { generation, isReplaced } = await rotateSecrets(database, config, systemClock())
        const keyring = await Keyring.load(database, config, systemClock())
        const resealed = await resealStored(database, keyring, SEALED_COLUMNS, systemClock(), note)
        return { generation, isReplaced, ...resealed }
      }).finally(end)
      const lines = [
        `Added secret ${generation}. Older ones are kept: cursors that clients hold remain valid.`,
        `Sealed ${plural(values, 'stored value')} with it.`,
        ...(unreadable > 0 ? [`Left as they are, because no secret opens them: ${plural(unreadable, 'value')}.`] : []),
        ...(isReplaced
          ? ['SECRET_KEY replaces SECRET_KEY_OLD: remove that. Keep it for backups from before: they need it.']
          : []),
      ]
      print(command, { generation, secret_key_replaced: isReplaced, values, unreadable }, lines.join('\n'))
    })

  secret
    .command('remove')
    .summary('store the secrets without encryption')
    .description(
      `Stores the secrets without encryption, so that the database can be used without SECRET_KEY. Then remove the setting from
all instances: a start that still has it encrypts the secrets again.`,
    )
    .action(async (_options: object, command: Command) => {
      const config = readSettings()
      const changed = await withDatabase(config, (database) => removeSecretKey(database, config))
      const text = changed
        ? 'The stored secrets are not encrypted any more. Remove SECRET_KEY from the settings of all instances before their next start, which would encrypt them again.'
        : 'Nothing to do: the stored secrets are not encrypted.'
      print(command, { changed }, text)
    })
}
