import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { type ApiKey, type ApiKeyCreate, asOperator, createKey } from '../../modules/account/api-keys/index.ts'
import { getOrganisationBySlug } from '../../modules/account/organisations/index.ts'
import { type Actor, withAudit } from '../../platform/audit/index.ts'
import { systemClock, type Timestamp, timestamp, toMs } from '../../platform/clock/index.ts'
import type { Tx } from '../../platform/db/index.ts'
import { OperatorError } from '../../platform/errors/operator-error.ts'
import type { ReadSettings } from '../config.ts'
import { withDatabase } from '../open-database.ts'
import { OPERATOR } from '../operator-context.ts'
import { print, table } from '../output.ts'

interface CreateOptions {
  org: string
  name: string
  expiresAt?: Timestamp
  scopes?: string[]
}

export function addKey(program: Command, readSettings: ReadSettings): void {
  const key = program.command('key').summary('manage API keys').description('Manages the API keys of an organisation.')

  key
    .command('create')
    .summary('create an API key and print it once')
    .description('Creates an API key and prints it. It cannot be shown again: only its hash is stored.')
    .requiredOption('--org <slug>', 'slug of the organisation')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--expires-at <time>', 'when the key expires, such as 2030-01-31T00:00:00Z', toTimestamp)
    .option(
      '--scopes <scopes>',
      'what the key may do, separated by commas, such as all,codes.slugs (default: all)',
      (text) => text.split(',').map((scope) => scope.trim()),
    )
    .action(async (options: CreateOptions, command: Command) => {
      const { name, expiresAt: expires_at } = options
      // Checked by the schema, which names the scopes that exist.
      const scopes = options.scopes as ApiKeyCreate['scopes']
      const created = await withDatabase(readSettings(), async (database) => {
        const { id } = await getOrganisationBySlug(database.read, options.org)
        const now = timestamp(systemClock())
        return database.write((tx) =>
          withAudit(tx, id, OPERATOR, now, () => createKey(tx, id, { name, expires_at, scopes }, now)),
        )
      })
      print(
        command,
        created,
        `API key (shown only once)   ${created.api_key}\nID                          ${created.id}`,
      )
    })

  key
    .command('list')
    .summary('list the API keys of an organisation')
    .description('Lists the API keys of an organisation, newest first. Full keys are not stored and cannot be shown.')
    .requiredOption('--org <slug>', 'slug of the organisation')
    .action(async (options: { org: string }, command: Command) => {
      const data = await withDatabase(readSettings(), async ({ read }) => {
        const { id } = await getOrganisationBySlug(read, options.org)
        return asOperator.list(read, id, timestamp(systemClock()))
      })
      print(command, { data }, data.length === 0 ? NO_KEYS : table(HEADINGS, data.map(toRow)))
    })

  addChange(key, readSettings, 'pause', 'Pauses a key until you resume it.', asOperator.pause)
  addChange(key, readSettings, 'resume', 'Resumes a paused key.', asOperator.resume)
  addChange(key, readSettings, 'revoke', 'Revokes a key permanently.', asOperator.revoke)
}

type Change = (tx: Tx, id: string, actor: Actor, now: Timestamp) => Promise<ApiKey>

function addChange(key: Command, readSettings: ReadSettings, verb: string, description: string, change: Change): void {
  key
    .command(verb)
    .summary(description.replace(/^\w/, (letter) => letter.toLowerCase()).replace(/\.$/, ''))
    .description(`${description} A running service applies the change within a second.`)
    .argument('<id>', 'ID of the key, from `npx waymark key list`')
    .action(async (id: string, _options: object, command: Command) => {
      const changed = await withDatabase(readSettings(), ({ write }) =>
        write((tx) => change(tx, id, OPERATOR, timestamp(systemClock()))),
      )
      if (changed.state === 'revoked' && verb !== 'revoke') {
        throw new OperatorError(
          `The key ${changed.name} is revoked permanently. Create a new one with \`npx waymark key create\`.`,
        )
      }
      print(command, changed, `The key ${changed.name} (${changed.hint}) is ${changed.state}.`)
    })
}

const NO_KEYS = 'There are no API keys yet. Create one with `npx waymark key create`.'
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

/** Accepts a time in the past: a key that has already expired is useful for testing. */
function toTimestamp(text: string): Timestamp {
  const moment = IsoTime.safeParse(text).success ? timestamp(toMs(text as Timestamp)) : undefined
  // An offset can move the first or last day out of the years 0001 to 9999, which a timestamp can represent.
  if (moment === undefined || !/^\d{4}-/.test(moment) || moment < '0001') {
    throw new InvalidArgumentError('Must be a date and time with Z or an offset, such as 2030-01-31T00:00:00Z.')
  }
  return moment
}
