import { type Command, Option } from 'commander'
import { readConfig } from '../config.ts'
import { print } from '../output.ts'
import type { Role } from '../service.ts'
import type { Ready } from '../start.ts'

const ROLES: Role[] = ['all', 'api', 'scan', 'worker']

export function addStart(program: Command): void {
  program
    .command('start')
    .summary('serve until told to stop')
    .description(
      `Brings the database up to date and serves until Ctrl-C or SIGTERM, which let requests under way finish.
The first start makes an organisation and prints its API key.

One machine runs everything (the default). Over PostgreSQL there may be any number of instances, and the
roles may be split: \`api\` answers requests, \`scan\` answers phones, \`worker\` does the background work.`,
    )
    .addOption(new Option('--role <role>', 'what this process does').choices(ROLES).default('all'))
    .action(async ({ role }: { role: Role }, command: Command) => {
      // Only here, so that no other command waits for the web server to load.
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

  API key (shown this once)   ${apiKey}
  Documentation               ${url}/docs

  Try it:

    curl ${url}/v1/me -H "Authorization: Bearer ${apiKey}"

  Make a code, and open the url in the answer; it leads wherever you say, from the next scan on:

    curl ${url}/v1/qr-codes -H "Authorization: Bearer ${apiKey}" \\
      -H "Content-Type: application/json" -d '{"destination": {"url": "https://example.com"}}'

  Stop with Ctrl-C.
`
