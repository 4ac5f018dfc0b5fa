/** Writes the generated files, which are committed, so that reviews show every change to the contract or the schema. */
import { readFileSync, writeFileSync } from 'node:fs'
import { relationsFile } from './relations-file.ts'
import { postgresSchema, sqliteSchema } from './schema-dump.ts'
import { tablesFile } from './tables-file.ts'

const checkOnly = process.argv.includes('--check')

const schema = { sqlite: await sqliteSchema(), postgres: await postgresSchema() }
store('migrations/schema.sqlite.sql', schema.sqlite)
store('migrations/schema.postgres.sql', schema.postgres)
store('src/platform/db/tables.generated.ts', tablesFile(schema))
store('src/platform/db/relations.generated.ts', relationsFile(schema.postgres))

// Not loaded before: the families take their columns from the tables.
const { openApiDocument } = await import('../src/api/openapi.ts')
const { errorsPage } = await import('./errors-page.ts')
const { eventsPage } = await import('./events-page.ts')
const { settingsPage } = await import('./settings-page.ts')
store('openapi.json', `${JSON.stringify(openApiDocument(), null, 2)}\n`)
store('docs/errors.md', errorsPage())
store('docs/events.md', eventsPage())
store('docs/settings.md', settingsPage())

function store(path: string, text: string): void {
  const url = new URL(`../${path}`, import.meta.url)
  if (read(url) === text) return
  if (checkOnly) process.exitCode = 1
  else writeFileSync(url, text)
  console.log(checkOnly ? `${path} is stale. Run: npm run generate` : `wrote ${path}`)
}

function read(url: URL): string | undefined {
  try {
    return readFileSync(url, 'utf8')
  } catch {
    return undefined
  }
}
