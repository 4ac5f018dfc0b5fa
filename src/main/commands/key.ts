import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import {
  type ApiKey,
  createKey,
  listKeys,
  pauseKey,
  resumeKey,
  revokeKey,
} from '../../modules/account/api-keys/index.ts'
import { getOrganisationBySlug } from '../../modules/account/organisations/index.ts'
import { systemClock, type Timestamp, timestamp, toMs } from '../../platform/clock/index.ts'
import type { Tx } from '../../platform/db/index.ts'
import { OperatorError } from '../../platform/errors/operator-error.ts'
import { readConfig } from '../config.ts'
import { withDatabase } from '../open-database.ts'
import { print, table } from '../output.ts'

export function addKey(program: Command): void {
  const key = program.command('key').description('API keys of an organisation.')

  key
    .command('create')
    .summary('make an API key and print it, this once')
    .description('Makes an API key. It is printed this once: only its hash is stored.')
    .requiredOption('--org <slug>', 'the organisation it belongs to')
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires-at <time>', 'when it stops working, such as 2030-01-31T00:00:00Z', toTimestamp)
    .action(async (options: { org: string; name: string; expiresAt?: Timestamp }, command: Command) => {
      const { name, expiresAt = null } = options
      const created = await withDatabase(readConfig(), async (database) => {
        const { id } = await getOrganisationBySlug(database.read, options.org)
        return database.write((tx) => createKey(tx, id, { name, expiresAt }, timestamp(systemClock())))
      })
      print(
        command,
        created,
        `API key (shown this once)   ${created.api_key}\nId                          ${created.id}`,
      )
    })

  key
    .command('list')
    .summary('list the API keys of an organisation')
    .description('Lists the API keys of an organisation, newest first. The keys themselves are not stored.')
    .requiredOption('--org <slug>', 'the organisation')
    .action(async (options: { org: string }, command: Command) => {
      const data = await withDatabase(readConfig(), async ({ read }) => {
        const { id } = await getOrganisationBySlug(read, options.org)
        return listKeys(read, id, timestamp(systemClock()))
      })
      print(command, { data }, data.length === 0 ? 'There are no keys yet.' : table(HEADINGS, data.map(toRow)))
    })

  addChange(key, 'pause', 'Stops a key until it is resumed.', pauseKey)
  addChange(key, 'resume', 'Lets a paused key work again.', resumeKey)
  addChange(key, 'revoke', 'Stops a key for good.', revokeKey)
}

type Change = (tx: Tx, id: string, now: Timestamp) => Promise<ApiKey>

function addChange(key: Command, verb: string, description: string, change: Change): void {
  key
    .command(verb)
    .summary(description.replace(/^\w/, (letter) => letter.toLowerCase()).replace(/\.$/, ''))
    .description(`${description} A running service follows within a second.`)
    .argument('<id>', 'the id of the key, as `waymark key list` shows it')
    .action(async (id: string, _options: object, command: Command) => {
      const changed = await withDatabase(readConfig(), ({ write }) =>
        write((tx) => change(tx, id, timestamp(systemClock()))),
      )
      if (changed.state === 'revoked' && verb !== 'revoke') {
        throw new OperatorError(
          `The key ${changed.name} was revoked for good. Make a new one with \`waymark key create\`.`,
        )
      }
      print(command, changed, `The key ${changed.name} (${changed.hint}) is ${changed.state}.`)
    })
}

const HEADINGS = ['ID', 'NAME', 'KEY', 'STATE', 'EXPIRES', 'LAST USED']

const toRow = ({ id, name, hint, state, expires_at, last_used_at }: ApiKey): string[] => [
  id,
  name,
  hint,
  state,
  expires_at ?? 'never',
  last_used_at ?? 'never',
]

const IsoTime = z.iso.datetime({ offset: true })

/** It may be in the past: a key that is expired from the start is good for trying what happens then. */
function toTimestamp(text: string): Timestamp {
  const moment = IsoTime.safeParse(text).success ? timestamp(toMs(text as Timestamp)) : undefined
  // An offset can push the first or last day out of the years that a timestamp can be written in.
  if (moment === undefined || !/^\d{4}-/.test(moment) || moment < '0001') {
    throw new InvalidArgumentError('It must be a date and time with Z or an offset, such as 2030-01-31T00:00:00Z.')
  }
  return moment
}
