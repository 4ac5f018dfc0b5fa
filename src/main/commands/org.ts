import { type Command, InvalidArgumentError } from 'commander'
import {
  createOrganisation,
  getOrganisationBySlug,
  listOrganisations,
  type Organisation,
  setRateCaps,
} from '../../modules/account/organisations/index.ts'
import { systemClock, timestamp } from '../../platform/clock/index.ts'
import { OperatorError } from '../../platform/errors/operator-error.ts'
import { readConfig } from '../config.ts'
import { withDatabase } from '../open-database.ts'
import { print, table } from '../output.ts'

export function addOrg(program: Command): void {
  const org = program
    .command('org')
    .summary('manage organisations')
    .description('Manages organisations, the tenants of this installation.')

  org
    .command('create')
    .summary('create an organisation')
    .description('Creates an organisation. It has no API key yet: create one with `waymark key create`.')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--slug <slug>', 'short name for commands and URLs: a-z, 0-9 and -')
    .action(async (options: { name: string; slug: string }, command: Command) => {
      const created = await withDatabase(readConfig(), (database) =>
        database.write((tx) => createOrganisation(tx, options, timestamp(systemClock()))),
      )
      print(command, created, `Created organisation ${created.name} (${created.slug}) with the ID ${created.id}.`)
    })

  org
    .command('set')
    .summary('change the rate limits of an organisation')
    .description(
      `Changes how many requests an organisation may make with all its keys together. A running service applies the
change within a second. \`default\` goes back to RATE_LIMIT_PER_MINUTE and RATE_LIMIT_PER_HOUR.`,
    )
    .argument('<slug>', 'slug of the organisation')
    .option('--rate-per-minute <n|default>', 'maximum number of requests per minute', toCap)
    .option('--rate-per-hour <n|default>', 'maximum number of requests per hour', toCap)
    .action(async (slug: string, options: CapOptions, command: Command) => {
      const caps = toCaps(options)
      const changed = await withDatabase(readConfig(), async (database) => {
        const { id } = await getOrganisationBySlug(database.read, slug)
        return database.write((tx) => setRateCaps(tx, id, caps, timestamp(systemClock())))
      })
      const [perMinute, perHour] = describeCaps(changed)
      print(command, changed, `Rate limits of ${changed.slug}: ${perMinute} per minute, ${perHour} per hour.`)
    })

  org
    .command('list')
    .summary('list all organisations')
    .description('Lists all organisations with their rate limits.')
    .action(async (_options: object, command: Command) => {
      const data = await withDatabase(readConfig(), (database) => listOrganisations(database.read))
      const rows = data.map((item) => [item.slug, item.name, ...describeCaps(item), item.id])
      const text =
        rows.length === 0
          ? 'There are no organisations yet. Create one with `waymark org create`.'
          : table(HEADINGS, rows)
      print(command, { data }, text)
    })
}

const HEADINGS = ['SLUG', 'NAME', 'PER MINUTE', 'PER HOUR', 'ID']

interface CapOptions {
  ratePerMinute?: number | 'default'
  ratePerHour?: number | 'default'
}

function toCap(text: string): number | 'default' {
  if (text === 'default') return text
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new InvalidArgumentError('Must be a whole number of at least 1, or "default".')
  return Number(text)
}

function toCaps({ ratePerMinute, ratePerHour }: CapOptions) {
  if (ratePerMinute === undefined && ratePerHour === undefined) {
    throw new OperatorError('Nothing to change. Pass --rate-per-minute, --rate-per-hour, or both.')
  }
  const orDefault = (cap: number | 'default') => (cap === 'default' ? null : cap)
  return {
    ...(ratePerMinute !== undefined && { rate_per_minute: orDefault(ratePerMinute) }),
    ...(ratePerHour !== undefined && { rate_per_hour: orDefault(ratePerHour) }),
  }
}

const describeCaps = ({ rate_per_minute, rate_per_hour }: Organisation): string[] =>
  [rate_per_minute, rate_per_hour].map((cap) => String(cap ?? 'default'))
