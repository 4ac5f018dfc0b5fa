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
  const org = program.command('org').description('Organisations: the tenants of this installation.')

  org
    .command('create')
    .summary('make an organisation')
    .description('Makes an organisation. It has no API key yet: `waymark key create` makes one.')
    .requiredOption('--name <name>', 'what people call it')
    .requiredOption('--slug <slug>', 'its short name in commands and addresses: a-z, 0-9 and -')
    .action(async (options: { name: string; slug: string }, command: Command) => {
      const created = await withDatabase(readConfig(), (database) =>
        database.write((tx) => createOrganisation(tx, options, timestamp(systemClock()))),
      )
      print(command, created, `Organisation ${created.name} (${created.slug}) has the id ${created.id}.`)
    })

  org
    .command('set')
    .summary('change the rate limits of an organisation')
    .description(
      `Changes how many requests an organisation may make, over all its keys together. A running service
follows within a second. \`default\` goes back to RATE_LIMIT_PER_MINUTE and RATE_LIMIT_PER_HOUR.`,
    )
    .argument('<slug>', 'the organisation')
    .option('--rate-per-minute <n|default>', 'requests in any minute', toCap)
    .option('--rate-per-hour <n|default>', 'requests in any hour', toCap)
    .action(async (slug: string, options: CapOptions, command: Command) => {
      const caps = toCaps(options)
      const changed = await withDatabase(readConfig(), async (database) => {
        const { id } = await getOrganisationBySlug(database.read, slug)
        return database.write((tx) => setRateCaps(tx, id, caps, timestamp(systemClock())))
      })
      print(command, changed, `Organisation ${changed.slug} may make ${describeCaps(changed).join(' and ')}.`)
    })

  org
    .command('list')
    .summary('list all organisations')
    .description('Lists all organisations with their rate limits.')
    .action(async (_options: object, command: Command) => {
      const data = await withDatabase(readConfig(), (database) => listOrganisations(database.read))
      const rows = data.map((item) => [item.slug, item.name, ...describeCaps(item), item.id])
      const text = rows.length === 0 ? 'There are no organisations yet.' : table(HEADINGS, rows)
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
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1, or "default".')
  return Number(text)
}

function toCaps({ ratePerMinute, ratePerHour }: CapOptions) {
  if (ratePerMinute === undefined && ratePerHour === undefined) {
    throw new OperatorError('Say what to change: --rate-per-minute, --rate-per-hour, or both.')
  }
  const orDefault = (cap: number | 'default') => (cap === 'default' ? null : cap)
  return {
    ...(ratePerMinute !== undefined && { rate_per_minute: orDefault(ratePerMinute) }),
    ...(ratePerHour !== undefined && { rate_per_hour: orDefault(ratePerHour) }),
  }
}

const describeCaps = ({ rate_per_minute, rate_per_hour }: Organisation): string[] => [
  `${rate_per_minute ?? 'default'} a minute`,
  `${rate_per_hour ?? 'default'} an hour`,
]
