/** The first requests after a start do not hold up the main thread: what they need is loaded before, or in a thread. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { OAuthApplication } from '../testing/oauth-application.ts'
import { killProcesses, startServiceProcess } from '../testing/process.ts'
import { Visitor } from '../testing/visitor.ts'

const folder = await mkdtemp(join(tmpdir(), 'waymark-first-'))
afterAll(async () => {
  await killProcesses()
  await rm(folder, { recursive: true, force: true })
})

const RECORDER = fileURLToPath(new URL('../testing/record-loads.mjs', import.meta.url))

test('they load nothing on the main thread, where everybody would wait for it', async () => {
  const file = join(folder, 'loaded')
  const loaded = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
  const service = await startServiceProcess({
    ...{ DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info' },
    ...{ NODE_OPTIONS: `--import=${RECORDER}`, LOADED_MODULES: file },
  })
  await eventually(() => service.stdout.includes('prepared for first requests'))
  const before = loaded()
  expect(before.some((url) => url.endsWith('/oidc-provider/lib/provider.js'))).toBe(true)

  const app = await OAuthApplication.register(service.url, 'Acme Sync')
  const visitor = new Visitor(service.url)
  const { url } = await app.ask('qr.view')
  expect((await visitor.open(url.pathname + url.search)).location).toContain('/account/consent/')
  for (const path of ['/account/sign-in', '/docs', '/docs/search?q=webhooks', '/v1/openapi.json']) {
    expect((await visitor.open(path)).status, path).toBe(200)
  }
  expect(loaded().slice(before.length)).toEqual([])
  for (const made of ['src/api/openapi.ts', 'docs/search-index.ts', 'docs/render-guide.ts']) {
    expect(
      loaded().filter((url) => url.endsWith(made)),
      made,
    ).toEqual([])
  }
})
