import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Destination, ImportSummary, SourceName } from '../../modules/codes/moving/index.ts'
import type { CodeDomains } from '../../modules/codes/qr-codes/index.ts'
import { codeDomains, PublicAddresses } from '../../modules/domains/custom-domain-routes/index.ts'
import { isCentrePart } from '../../modules/knowledge/public-articles/index.ts'
import { systemClock } from '../../platform/clock/index.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { OperatorError } from '../../platform/errors/operator-error.ts'
import type { Context } from '../../platform/http/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import type { ReadSettings } from '../config.ts'
import { findOrganisation } from '../find-organisation.ts'
import { withDatabase } from '../open-database.ts'
import { operatorContext } from '../operator-context.ts'
import { CommandFailed, plural, print, progress } from '../output.ts'

interface Options {
  org?: string
  domain?: string
  history?: string
  dryRun?: boolean
}

/** The whole file is in memory while it is read. */
const FILE_BYTES_MAX = 200 * 1024 * 1024
/** The first problems say enough. All of them are in the output of --json. */
const PROBLEMS_SHOWN = 50

export function addImport(program: Command, readSettings: ReadSettings): void {
  program
    .command('import')
    .summary('move codes of another service here')
    .description(
      `Creates codes from the export of another service, with their slugs, destinations, titles, tags and counters, so that what
is printed keeps working. A second run adds what is new, brings the counters up to date and changes nothing else. The
service may keep running.

A code goes to the custom domain that its address names, which has to be connected and verified. One that is named by
--domain need not be verified yet: its codes work as soon as it is. Rows that cannot be moved are listed with the reason, and
the command then ends with the exit code 1. See docs/moving.md for the services and their exports.`,
    )
    .argument('<source>', 'bitly, dub, shlink, kutt, yourls or csv')
    .argument('<file>', 'the export, as CSV or JSON')
    .option('--org <slug>', 'slug of the organisation, if there are several')
    .option('--domain <domain>', 'move only the codes of this custom domain, and those without a host')
    .option('--history <file>', 'scans by day: a CSV file with a row for each day or for each scan')
    .option('--dry-run', 'check everything, and change nothing')
    .action(async (source: string, file: string, options: Options, self: Command) => {
      const { importForeignCodes, readHistory, SOURCE_NAMES } = await import('../../modules/codes/moving/index.ts')
      if (!SOURCE_NAMES.includes(source as SourceName))
        throw new OperatorError(`There is no source ${source}. Choose one of ${SOURCE_NAMES.join(', ')}.`)
      const { dryRun = false } = options
      const text = await readText(file)
      const { history, skipped } = readHistory(options.history === undefined ? '[]' : await readText(options.history))
      const config = readSettings()
      const imported = progress(self, dryRun ? 'Checked' : 'Imported', 'code')
      const { waitsFor, ...summary } = await withDatabase(config, async (database) => {
        const { id: orgId } = await findOrganisation(database.read, options.org)
        const domains = codeDomains(isCentrePart)
        const ownHost = new URL(config.publicUrl).hostname
        const { waitsFor, ...places } = await findPlaces(database, orgId, domains, ownHost, options.domain)
        const context = operatorContext(database, orgId, systemClock)
        const summary = await importForeignCodes(dryRun ? rolledBack(context) : context, {
          ...{ source: source as SourceName, text, history, domains: asIfVerified(domains), ...places },
          publicUrl: await publicUrlOf(database, orgId, config.publicUrl),
          onImported: imported.note,
        })
        return { ...summary, waitsFor }
      }).finally(imported.end)
      print(
        self,
        { source, file: resolve(file), dry_run: dryRun, ...summary, waits_for: waitsFor, skipped_history: skipped },
        [
          ...describe(summary, dryRun),
          ...(waitsFor === null ? [] : [`${waitsFor} is not verified yet. Its codes will work as soon as it is.`]),
          ...(skipped.length > 0 ? [`Rows of the history that cannot be read: ${skipped.length}`] : []),
        ].join('\n'),
      )
      if (summary.failed > 0) throw new CommandFailed()
    })
}

async function readText(name: string): Promise<string> {
  const path = resolve(name)
  try {
    const { size } = await stat(path)
    if (size > FILE_BYTES_MAX) throw new OperatorError(`${path} is larger than 200 MB. Divide it.`)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`Cannot read ${path}: ${(error as Error).message}`, { cause: error })
  }
}

interface Places {
  destinations: Map<string, Destination>
  destination: Destination
  /** The domain that was named, if its codes have to wait until it is verified. */
  waitsFor: string | null
}

/** Where codes can go: to the domains of the organisation, and to the host of the service. */
async function findPlaces(
  { read }: Database,
  orgId: OrgId,
  domains: CodeDomains,
  ownHost: string,
  named: string | undefined,
): Promise<Places> {
  const host = named?.toLowerCase()
  const known = [...(await domains.list(read, orgId))]
  const chosen = known.filter(([, { name, isVerified }]) => (host === undefined ? isVerified : name === host))
  const all = chosen.map(([domainId, { name }]): Destination => ({ domainId, host: name }))
  const destination = host === undefined ? { domainId: null, host: ownHost } : all[0]
  if (destination === undefined)
    throw new OperatorError(`The organisation has no custom domain ${host}. Connect it first.`)
  return {
    destinations: new Map([destination, ...all].map((one) => [one.host, one])),
    destination,
    waitsFor: chosen.find(([, { isVerified }]) => !isVerified)?.[1].name ?? null,
  }
}

/**
 * Codes come before their domain, so that all of them work in the moment in which it leads here. Until it is verified, they
 * resolve for nobody. With the API, only a verified domain gets codes: who prints one right away should know that it works.
 */
const asIfVerified = (domains: CodeDomains): CodeDomains => ({
  ...domains,
  list: async (db, orgId) =>
    new Map([...(await domains.list(db, orgId))].map(([id, { name }]) => [id, { name, isVerified: true }])),
})

class RolledBack extends Error {
  readonly result: unknown
  constructor(result: unknown) {
    super('a dry run changes nothing')
    this.result = result
  }
}

/** Does everything, and takes it back. */
const rolledBack = (context: () => Context) => (): Context => {
  const ctx = context()
  // The properties are copied one by one, because reading `credential` throws.
  const { orgId, actor, now, log, signal, read, readLong, pause } = ctx
  const write: Context['write'] = async <T>(work: (tx: Tx) => Promise<T>) => {
    try {
      return await ctx.write<T>(async (tx) => {
        throw new RolledBack(await work(tx))
      })
    } catch (error) {
      if (error instanceof RolledBack) return error.result as T
      throw error
    }
  }
  return {
    ...{ orgId, actor, now, log, signal, read, readLong, pause, write },
    // Pieces would be written.
    writeInPieces: write,
    get credential() {
      return ctx.credential
    },
  }
}

/** The codes of an organisation begin with its own domain, if it has one. */
async function publicUrlOf(database: Database, orgId: OrgId, publicUrl: string): Promise<string> {
  const addresses = new PublicAddresses(database, publicUrl, systemClock)
  try {
    return await addresses.urlOf(orgId)
  } finally {
    addresses.close()
  }
}

function describe(summary: ImportSummary, isDryRun: boolean): string[] {
  const { rows, created, updated, unchanged, with_history, failed, problems, notes } = summary
  const would = isDryRun ? ' (nothing was changed)' : ''
  return [
    `Read ${plural(rows, 'row')}. Codes: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} left out${would}.`,
    ...(with_history > 0 ? [`Scans by day: ${plural(with_history, 'code')}.`] : []),
    ...list(
      'Left out',
      problems.map(({ row, address, problem, advice }) => `row ${row}, ${address}: ${problem}. ${advice}`),
    ),
    ...list(
      'Different from before',
      notes.map(({ row, address, note }) => `row ${row}, ${address}: ${note}.`),
    ),
  ]
}

const list = (title: string, lines: string[]): string[] =>
  lines.length === 0
    ? []
    : [
        `${title}:`,
        ...lines.slice(0, PROBLEMS_SHOWN).map((line) => `  ${line}`),
        ...(lines.length > PROBLEMS_SHOWN ? ['  … All of them are in the output of --json.'] : []),
      ]
