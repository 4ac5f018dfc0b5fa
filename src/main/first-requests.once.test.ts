/** What a start leaves out, and that the first requests after it do not hold up the main thread all the same. */
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

/** Starts a service that is prepared. Returns what its main thread has loaded, an array for each turn of the event loop. */
async function startRecorded(name: string) {
  const file = join(folder, name)
  const service = await startServiceProcess({
    ...{ DATA_DIR: join(folder, `${name}-data`), LOG_LEVEL: 'info' },
    ...{ NODE_OPTIONS: `--import=${RECORDER}`, LOADED_MODULES: file },
  })
  await eventually(() => service.stdout.includes('prepared for first requests'))
  const turns = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split(/\n\n+/) : [])
  return { service, loaded: () => turns().map((turn) => turn.split('\n')) }
}

test('a start loads nothing that most services never need, and keeps little space for new objects', async () => {
  const { service, loaded } = await startRecorded('start')
  service.send('SIGTERM')
  expect(await service.ended).toMatchObject({ code: 0 })
  const all = loaded().flat()
  expect(all).toContain('NativeModule http')
  // The client behind `fetch`, which an import of `node:http` would load.
  expect(all).not.toContain('NativeModule internal/deps/undici/undici')
  for (const part of ['/oidc-provider/', '/@scalar/', '/sharp/', '/pg/', '/nodemailer/']) {
    expect(
      all.filter((url) => url.includes(`/node_modules${part}`)),
      part,
    ).toEqual([])
  }
  const newSpaceBytes = Number(all.find((line) => line.startsWith('new_space'))?.split(' ')[1])
  expect(newSpaceBytes).toBeLessThan(16 * 1024 * 1024)
})

test('first requests load nothing on the main thread, where everybody would wait for it, or small pieces', async () => {
  const { service, loaded } = await startRecorded('requests')
  const before = loaded()
  const visitor = new Visitor(service.url)
  for (const path of ['/account/sign-in', '/docs', '/docs/search?q=webhooks', '/v1/openapi.json']) {
    expect((await visitor.open(path)).status, path).toBe(200)
  }
  expect(loaded()).toEqual(before)
  for (const made of ['src/api/openapi.ts', 'docs/search-index.ts', 'docs/render-guide.ts']) {
    expect(
      before.flat().filter((url) => url.endsWith(made)),
      made,
    ).toEqual([])
  }

  const app = await OAuthApplication.register(service.url, 'Acme Sync')
  const { url } = await app.ask('qr.view')
  expect((await visitor.open(url.pathname + url.search)).location).toContain('/account/consent/')
  const pieces = loaded().slice(before.length)
  expect(pieces.flat().some((loadedUrl) => loadedUrl.endsWith('/oidc-provider/lib/provider.js'))).toBe(true)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(pieces.flat().length / 2)
})
