import { type Command, InvalidArgumentError } from 'commander'
import { setBalance, setUnlimited } from '../../modules/account/credits/index.ts'
import {
  createOrganisation,
  getOrganisation,
  getOrganisationBySlug,
  listOrganisations,
  type Organisation,
  renameOrganisation,
  setLimits,
} from '../../modules/account/organisations/index.ts'
import { systemClock, timestamp } from '../../platform/clock/index.ts'
import { OperatorError } from '../../platform/errors/operator-error.ts'
import { readByteSize, writeByteSize } from '../byte-size.ts'
import type { ReadSettings } from '../config.ts'
import { withDatabase } from '../open-database.ts'
import { operatorContext } from '../operator-context.ts'
import { print, table } from '../output.ts'

export function addOrg(program: Command, readSettings: ReadSettings): void {
  const org = program
    .command('org')
    .summary('manage organisations')
    .description('Manages organisations, the tenants of this installation.')

  org
    .command('create')
    .summary('create an organisation')
    .description('Creates an organisation. It has no API key yet: create one with `npx waymark key create`.')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--slug <slug>', 'short name for commands and URLs: a-z, 0-9 and -')
    .action(async (options: { name: string; slug: string }, command: Command) => {
      const config = readSettings()
      const credits = config.credits.starting
      const created = await withDatabase(config, (database) =>
        database.write((tx) => createOrganisation(tx, options, timestamp(systemClock()), { credits })),
      )
      print(command, created, `Created organisation ${created.name} (${created.slug}) with the ID ${created.id}.`)
    })

  org
    .command('set')
    .summary('rename an organisation, or change its limits and credits')
    .description(
      `\`--name\` and \`--new-slug\` rename an organisation, such as the one that the first start creates. Public addresses
with an earlier slug keep working, because they may be in print, and no other organisation can get it. With the embedded
database, a running service may show the previous name on public pages until it is restarted.

The other options change how many requests an organisation may make with all its keys together, and how much storage its
files may use. A running service applies the change within a second. \`default\` goes back to RATE_LIMIT_PER_MINUTE,
RATE_LIMIT_PER_HOUR and STORAGE_PER_ORGANISATION. A lower limit for storage deletes nothing.

\`--credits N\` sets the balance of the organisation. It replaces the previous balance, and answers of chatbots are charged
from now on, also with CREDITS=unlimited. \`--credits unlimited\` lets them cost nothing; the balance is kept.`,
    )
    .argument('<slug>', 'slug of the organisation')
    .option('--name <name>', 'new display name')
    .option('--new-slug <slug>', 'new short name for commands and URLs: a-z, 0-9 and -')
    .option('--rate-per-minute <n|default>', 'maximum number of requests per minute', toCap)
    .option('--rate-per-hour <n|default>', 'maximum number of requests per hour', toCap)
    .option('--storage <size|default>', 'maximum size of all stored files, such as 10GiB', toSize)
    .option('--credits <n|unlimited>', 'balance of credits', toCredits)
    .action(async (slug: string, options: SetOptions, command: Command) => {
      const { names, limits } = toChanges(options)
      const { credits } = options
      const changed = await withDatabase(readSettings(), async (database) => {
        const { id } = await getOrganisationBySlug(database.read, slug)
        const ctx = operatorContext(database, id, systemClock)()
        return ctx.write(async (tx) => {
          if (names !== undefined) await renameOrganisation(tx, id, names, ctx.now)
          if (credits === 'unlimited') await setUnlimited(tx, id, ctx.now)
          else if (credits !== undefined) await setBalance(tx, id, credits, ctx.now)
          return limits === undefined ? getOrganisation(tx, id) : setLimits(tx, id, limits, ctx.now)
        })
      })
      const [perMinute, perHour, storage] = describeLimits(changed)
      const lines = [
        ...(names === undefined ? [] : [`The organisation is now ${changed.name} (${changed.slug}).`]),
        ...(limits === undefined
          ? []
          : [`Limits of ${changed.slug}: ${perMinute} requests per minute, ${perHour} per hour, storage ${storage}.`]),
        ...(credits === undefined ? [] : [`Credits of ${changed.slug}: ${credits}.`]),
      ]
      print(command, { ...changed, ...(credits !== undefined && { credits }) }, lines.join('\n'))
    })

  org
    .command('list')
    .summary('list all organisations')
    .description('Lists all organisations with their limits.')
    .action(async (_options: object, command: Command) => {
      const data = await withDatabase(readSettings(), (database) => listOrganisations(database.read))
      const rows = data.map((item) => [item.slug, item.name, ...describeLimits(item), item.id])
      const text =
        rows.length === 0
          ? 'There are no organisations yet. Create one with `npx waymark org create`.'
          : table(HEADINGS, rows)
      print(command, { data }, text)
    })
}

const HEADINGS = ['SLUG', 'NAME', 'PER MINUTE', 'PER HOUR', 'STORAGE', 'ID']

interface SetOptions {
  name?: string
  newSlug?: string
  ratePerMinute?: number | 'default'
  ratePerHour?: number | 'default'
  storage?: number | 'default'
  credits?: number | 'unlimited'
}

function toCap(text: string): number | 'default' {
  if (text === 'default') return text
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new InvalidArgumentError('Must be a whole number of at least 1, or "default".')
  return Number(text)
}

function toSize(text: string): number | 'default' {
  if (text === 'default') return text
  const bytes = readByteSize(text)
  if (bytes === undefined) throw new InvalidArgumentError('Must be a size such as 10GiB or 500MiB, or "default".')
  return bytes
}

function toCredits(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text
  if (!/^\d{1,12}$/.test(text))
    throw new InvalidArgumentError('Must be a whole number from 0 to 999999999999, or "unlimited".')
  return Number(text)
}

/** Undefined for what no option changes. */
function toChanges({ name, newSlug, ratePerMinute, ratePerHour, storage, credits }: SetOptions) {
  const names = { ...(name !== undefined && { name }), ...(newSlug !== undefined && { slug: newSlug }) }
  const orDefault = (limit: number | 'default') => (limit === 'default' ? null : limit)
  const limits = {
    ...(ratePerMinute !== undefined && { rate_per_minute: orDefault(ratePerMinute) }),
    ...(ratePerHour !== undefined && { rate_per_hour: orDefault(ratePerHour) }),
    ...(storage !== undefined && { storage_bytes_max: orDefault(storage) }),
  }
  const isEmpty = (changes: object) => Object.keys(changes).length === 0
  if (isEmpty(names) && isEmpty(limits) && credits === undefined) {
    throw new OperatorError(
      'Nothing to change. Pass --name, --new-slug, --rate-per-minute, --rate-per-hour, --storage or --credits.',
    )
  }
  return { names: isEmpty(names) ? undefined : names, limits: isEmpty(limits) ? undefined : limits }
}

function describeLimits({ rate_per_minute, rate_per_hour, storage_bytes_max }: Organisation): string[] {
  const storage = storage_bytes_max === null ? null : writeByteSize(storage_bytes_max)
  return [rate_per_minute, rate_per_hour, storage].map((limit) => String(limit ?? 'default'))
}
