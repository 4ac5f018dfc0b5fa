import { type Command, Option } from 'commander'
import { readConfig } from '../config.ts'
import { print } from '../output.ts'
import type { Role } from '../service.ts'
import type { Ready } from '../start.ts'

const ROLES: Role[] = ['all', 'api', 'scan', 'worker']

export function addStart(program: Command): void {
  program
    .command('start')
    .summary('start the service')
    .description(
      `Migrates the database and starts the service. Stop it with Ctrl-C or SIGTERM; requests in flight are completed.
The first start creates an organisation and prints its API key.

By default, one process runs everything. With PostgreSQL you can run any number of instances and split the roles:
\`api\` serves the API, \`scan\` serves scans and help centres, \`worker\` runs background jobs.`,
    )
    .addOption(new Option('--role <role>', 'part of the service to run').choices(ROLES).default('all'))
    .action(async ({ role }: { role: Role }, command: Command) => {
      // Imported here, so that other commands do not load the web server.
      const { start } = await import('../start.ts')
      await start(readConfig(), role, (ready) => print(command, toDocument(ready), welcome(ready)))
    })
}

const toDocument = ({ url, apiKey }: Ready): object => ({
  url,
  ...(apiKey !== undefined && { api_key: apiKey }),
})

const welcome = ({ url, apiKey }: Ready): string =>
  apiKey === undefined
    ? `Waymark is ready at ${url}`
    : `
  Waymark is ready at ${url}

  API key (shown only once)   ${apiKey}
  Documentation               ${url}/docs

  Try it:

    curl ${url}/v1/me -H "Authorization: Bearer ${apiKey}"

  Create a QR code, then open the "url" in the response. You can change its destination at any time:

    curl ${url}/v1/qr-codes -H "Authorization: Bearer ${apiKey}" \\
      -H "Content-Type: application/json" -d '{"destination": {"url": "https://example.com"}}'

  Stop with Ctrl-C.
`
