/** A disk that is really full. Scans redirect, all other requests get 503 with the reason, and the service recovers by itself. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from '../testing/client.ts'
import { freePort } from '../testing/engines/postgres.ts'
import { eventually } from '../testing/eventually.ts'
import { createFirstKey, killProcesses, type ServiceProcess, startServiceProcess } from '../testing/process.ts'
import { createSmallDisk, type SmallDisk } from '../testing/small-disk.ts'

let disk: SmallDisk
let service: ServiceProcess
let client: Client
let metricsPort: number

beforeAll(async () => {
  disk = createSmallDisk()
  metricsPort = await freePort()
  const settings = { DATA_DIR: join(disk.folder, 'data'), METRICS_PORT: String(metricsPort), LOG_LEVEL: 'error' }
  service = await startServiceProcess(settings)
  client = new Client(service.url, await createFirstKey(settings))
})
afterAll(async () => {
  await killProcesses()
  disk.remove()
})

const readiness = async () => {
  const response = await fetch(`${service.url}/readyz`)
  return { status: response.status, body: (await response.json()) as any }
}

async function lostScans(): Promise<number> {
  const text = await (await fetch(`http://localhost:${metricsPort}/metrics`)).text()
  return Number(/^waymark_scans_lost_total (\d+)$/m.exec(text)?.[1])
}

test('codes redirect while the disk is full, other requests get 503 that says why, and everything recovers', async () => {
  const code = (await client.post('/v1/qr-codes', { name: 'Door', destination: { url: 'https://acme.com/' } })).body
  const path = new URL(code.url).pathname
  let scans = 0
  const scanAll = async (count: number) => {
    const headers = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/605.1.15' }
    const query = 'n'.repeat(2000)
    const scanOne = () => fetch(`${service.url}${path}?${query}=1`, { redirect: 'manual', headers })
    scans += count
    for (const { status } of await Promise.all(Array.from({ length: count }, scanOne))) expect(status).toBe(302)
  }
  await scanAll(5)
  expect(await readiness()).toEqual({ status: 200, body: { status: 'ready' } })

  disk.fill(service.pid)
  await eventually(async () => {
    await scanAll(50)
    return (await lostScans()) > 0
  })
  const full = await eventually(async () => {
    const now = await readiness()
    return now.status === 503 && now
  })
  expect(full.body).toMatchObject({
    status: 'unavailable',
    reason: expect.stringMatching(/cannot be written: the disk is full\.$/),
  })
  expect(full.body.alarms).toEqual([expect.stringMatching(/^\d+ scans were lost between /)])
  const tag = await client.post('/v1/article-tags', { name: 'Full' })
  const manual = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_000_000, ' ')])
  const upload = await client.post('/v1/assets', manual)
  for (const refused of [tag, upload]) {
    const message = expect.stringContaining('no disk space')
    expect(refused).toMatchObject({ status: 503, body: { error: 'service_unavailable', message } })
  }

  disk.free(service.pid)
  await eventually(async () => (await readiness()).status === 200)
  expect((await readiness()).body.alarms).toHaveLength(1)
  await scanAll(5)
  expect((await client.post('/v1/article-tags', { name: 'Room' })).status).toBe(201)
  const lost = await lostScans()
  await eventually(async () => (await client.get(`/v1/qr-codes/${code.id}`)).body.total_scans === scans - lost)
  service.send('SIGTERM')
  const { code: status, stdout } = await service.ended
  expect(status).toBe(0)
  const logged = stdout.split('\n').filter((line) => line.includes('scans are lost'))
  expect(logged.reduce((sum, line) => sum + JSON.parse(line).scans, 0)).toBe(lost)
  expect(logged.length).toBeLessThan(20)
})
