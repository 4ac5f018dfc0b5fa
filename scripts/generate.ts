import { readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '../src/api/openapi.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'
import { postgresSchema, sqliteSchema } from './schema-dump.ts'

/** Files that are generated and committed, so that a change of the contract or the schema shows in a review. */
const FILES: Record<string, () => string | Promise<string>> = {
  'openapi.json': () => `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'docs/errors.md': errorsPage,
  'docs/events.md': eventsPage,
  'migrations/schema.sqlite.sql': sqliteSchema,
  'migrations/schema.postgres.sql': postgresSchema,
}

const onlyCheck = process.argv.includes('--check')
for (const [path, generate] of Object.entries(FILES)) {
  const url = new URL(`../${path}`, import.meta.url)
  const text = await generate()
  if (read(url) === text) continue
  if (onlyCheck) process.exitCode = 1
  else writeFileSync(url, text)
  console.log(onlyCheck ? `${path} is stale. Run: npm run generate` : `wrote ${path}`)
}

function read(url: URL): string | undefined {
  try {
    return readFileSync(url, 'utf8')
  } catch {
    return undefined
  }
}
