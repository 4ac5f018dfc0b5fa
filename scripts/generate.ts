import { readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '../src/api/openapi.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'
import { postgresSchema, sqliteSchema } from './schema-dump.ts'

/** Generated files are committed, so that reviews show every change to the contract or the schema. */
const FILES: Record<string, () => string | Promise<string>> = {
  'openapi.json': () => `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'docs/errors.md': errorsPage,
  'docs/events.md': eventsPage,
  'migrations/schema.sqlite.sql': sqliteSchema,
  'migrations/schema.postgres.sql': postgresSchema,
}

const checkOnly = process.argv.includes('--check')
for (const [path, generate] of Object.entries(FILES)) {
  const url = new URL(`../${path}`, import.meta.url)
  const text = await generate()
  if (read(url) === text) continue
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
