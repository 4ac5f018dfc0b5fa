import { readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '../src/api/openapi.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'

/** What is derived from the contract and committed, so that a change of the contract shows in a review. */
const FILES: Record<string, () => string> = {
  'openapi.json': () => `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'docs/errors.md': errorsPage,
  'docs/events.md': eventsPage,
}

const onlyCheck = process.argv.includes('--check')
const stale = Object.entries(FILES)
  .map(([path, make]) => ({ path, url: new URL(`../${path}`, import.meta.url), text: make() }))
  .filter(({ url, text }) => read(url) !== text)

if (!onlyCheck) for (const { url, text } of stale) writeFileSync(url, text)
for (const { path } of stale)
  console.log(onlyCheck ? `${path} is stale. Run: node scripts/generate.ts` : `wrote ${path}`)
if (onlyCheck && stale.length > 0) process.exitCode = 1

function read(url: URL): string | undefined {
  try {
    return readFileSync(url, 'utf8')
  } catch {
    return undefined
  }
}
