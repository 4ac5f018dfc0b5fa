import type { Command } from 'commander'
import { systemClock } from '../../platform/clock/index.ts'
import { openAssetStore } from '../asset-settings.ts'
import type { Config, ReadSettings } from '../config.ts'
import type { Demo } from '../demo/create-demo.ts'
import { withDatabase } from '../open-database.ts'
import { plural, print, progress } from '../output.ts'

export function addDemo(program: Command, readSettings: ReadSettings): void {
  program
    .command('demo')
    .summary('create an organisation to try things out, or delete it')
    .description(
      `Creates the organisation Acme with people, QR codes, objects, products, a help centre in three languages, a
chatbot and a month of scans. Prints how to look at it, with a password and an API key that cannot be shown again.

\`--delete\` deletes every organisation that this command has created, with everything in it. It deletes nothing else.`,
    )
    .option('--delete', 'delete the demo organisations')
    .action((options: { delete?: true }, command: Command) => {
      const carryOut = options.delete ? remove : create
      return carryOut(command, readSettings())
    })
}

async function create(command: Command, config: Config): Promise<void> {
  // Imported here, so that other commands do not load what only the demo needs.
  const { createDemo } = await import('../demo/create-demo.ts')
  const { note, end } = progress(command, 'Created', 'item')
  const demo = await withDatabase(config, (database) => createDemo(database, config, systemClock, note)).finally(end)
  const signInUrl = `${config.appUrl}/account/sign-in`
  print(command, toJson(demo, signInUrl), describe(demo, signInUrl))
}

async function remove(command: Command, config: Config): Promise<void> {
  const { deleteDemos } = await import('../demo/delete-demos.ts')
  const { note, end } = progress(command, 'Deleted', 'organisation')
  let deleted = 0
  const store = await openAssetStore(config)
  const demos = await withDatabase(config, (database) =>
    deleteDemos(database, store, ({ slug }) => note(slug, deleted++)),
  ).finally(end)
  const names = demos.map(({ slug }) => slug)
  print(
    command,
    { deleted: demos.map(({ id, slug }) => ({ id, slug })) },
    names.length === 0 ? 'There is no demo organisation.' : `Deleted ${names.join(', ')} with everything in it.`,
  )
}

const toJson = (demo: Demo, url: string) => {
  const { organisation, people, password, apiKey, exampleUrl, helpCentreUrl, pageUrl, receiptUrl, chatbotUrl } = demo
  return {
    id: organisation.id,
    name: organisation.name,
    slug: organisation.slug,
    sign_in: { url, email: people[0]?.email, password },
    people,
    api_key: apiKey,
    help_centre_url: helpCentreUrl,
    page_url: pageUrl,
    receipt_url: receiptUrl,
    chatbot_url: chatbotUrl,
    qr_code_url: exampleUrl,
    counts: demo.counts,
  }
}

function describe(demo: Demo, url: string) {
  const { organisation, people, password, apiKey, exampleUrl, helpCentreUrl, pageUrl, receiptUrl, chatbotUrl } = demo
  const { counts } = demo
  const [owner, ...others] = people
  return `Created the organisation ${organisation.name} (${organisation.slug}): ${plural(counts.qr_codes, 'QR code')}, \
${plural(counts.articles, 'article')}, ${plural(counts.scans, 'scan')}.

Sign in         ${url}
Email           ${owner?.email}
Password        ${password}
API key         ${apiKey}
Help centre     ${helpCentreUrl}
Page            ${pageUrl}
A receipt       ${receiptUrl}
Chat            ${chatbotUrl}
Scan a code     ${exampleUrl}

The password and the API key are shown only once. ${others.map(({ email }) => email).join(' and ')} have no
password yet: \`npx waymark user reset-password <email>\` prints a link to set one.
Search finds the articles once the service is running.
To delete everything again, run \`npx waymark demo --delete\`.`
}
