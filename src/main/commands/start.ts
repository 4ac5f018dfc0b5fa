import { type Command, Option } from 'commander'
import { systemClock, timestamp } from '../../platform/clock/index.ts'
import { isLoopbackUrl } from '../../platform/text/loopback.ts'
import type { ReadSettings } from '../config.ts'
import { holdNewSpace } from '../limit-heap-growth.ts'
import { print } from '../output.ts'
import type { ProcessRole } from '../service.ts'
import type { Ready } from '../start.ts'

const ROLES: ProcessRole[] = ['all', 'api', 'scan', 'worker']

export function addStart(program: Command, readSettings: ReadSettings): void {
  program
    .command('start')
    .summary('start the service')
    .description(
      `Migrates the database and starts the service. Stop it with Ctrl-C or SIGTERM; requests in flight are completed.
The first start creates an organisation, which \`npx waymark org set\` renames. In a terminal it also prints an API key and a link for the first owner;
elsewhere it does not, because the output may be stored as a log. Use \`npx waymark key create\` and \`npx waymark user create\`
then.

By default, one process runs everything. With PostgreSQL you can run any number of instances and split the roles:
\`api\` serves the API, \`scan\` serves scans and help centres, \`worker\` runs background jobs.`,
    )
    .addOption(new Option('--role <role>', 'part of the service to run').choices(ROLES).default('all'))
    .action(async ({ role }: { role: ProcessRole }, command: Command) => {
      const config = readSettings()
      holdNewSpace()
      // Imported here, so that invalid settings are reported at once.
      const { start } = await import('../start.ts')
      const isTerminal = process.stdout.isTTY
      await start(config, role, isTerminal, (ready) =>
        print(command, toDocument(ready), isTerminal ? describe(ready) : toLogLine(ready)),
      )
    })
}

/** Without a terminal, standard output is the log: lines of JSON and nothing else. It does not depend on LOG_LEVEL. */
const toLogLine = (ready: Ready): string =>
  JSON.stringify({
    level: 'info',
    time: timestamp(systemClock()),
    ...toDocument(ready),
    ...(ready.isFirstStart && { next_steps: NEXT_STEPS }),
    msg: 'Waymark is ready',
  })

const toDocument = ({ url, publicUrl, ownerCommand, secrets }: Ready): object => ({
  url,
  ...((isLoopbackUrl(publicUrl) || ownerCommand !== undefined) && { warnings: warningsOf(publicUrl, ownerCommand) }),
  ...(secrets !== undefined && { api_key: secrets.apiKey, set_up_url: secrets.setUpUrl }),
})

/** A printed code can never be recalled, so every start says it. */
const doNotPrint = (publicUrl: string): string =>
  `Do not print codes yet: they lead to ${publicUrl}, which works only on this machine. Set PUBLIC_URL first.`

const warningsOf = (publicUrl: string, ownerCommand: string | undefined): string[] => [
  ...(ownerCommand === undefined
    ? []
    : [`No organisation has an owner yet. Create the first one with: ${ownerCommand}`]),
  ...(isLoopbackUrl(publicUrl) ? [doNotPrint(publicUrl)] : []),
]

function describe({ url, publicUrl, isFirstStart, ownerCommand, secrets }: Ready): string {
  const ready = `Waymark is ready at ${url}`
  const warnings = warningsOf(publicUrl, ownerCommand)
  if (isFirstStart && secrets !== undefined) return welcome([ready, ...warnings], url, secrets)
  return [ready, ...(isFirstStart ? NEXT_STEPS : []), ...warnings].join('\n')
}

const RENAME = 'npx waymark org set default --name "Acme" --new-slug acme'

const NEXT_STEPS = [
  `Name your organisation with: ${RENAME}`,
  'Create the first owner with: npx waymark user create --org default --email you@example.com --role owner',
  'Create an API key with: npx waymark key create --org default --name "First key"',
]

const welcome = (lines: string[], url: string, { apiKey, setUpUrl }: NonNullable<Ready['secrets']>): string => `
  ${lines.join('\n  ')}

  Create your account         ${setUpUrl}
  API key (shown only once)   ${apiKey}
  Name your organisation      ${RENAME}
  Documentation               ${url}/docs

  Try it:

    curl ${url}/v1/me -H "Authorization: Bearer ${apiKey}"

  Create a QR code, then open the "url" in the response. You can change its destination at any time:

    curl ${url}/v1/qr-codes -H "Authorization: Bearer ${apiKey}" \\
      -H "Content-Type: application/json" -d '{"destination": {"url": "https://example.com"}}'

  Stop with Ctrl-C.
`
