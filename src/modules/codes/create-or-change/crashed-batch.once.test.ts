/** A batch is one change: a process that is killed while it writes the rows leaves all of it behind, or nothing. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Client } from '../../../testing/client.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createFirstKey, killProcesses, type Settings, startServiceProcess } from '../../../testing/process.ts'

let settings: Settings

beforeEach(async () => {
  settings = { DATA_DIR: await mkdtemp(join(tmpdir(), 'waymark-batch-')) }
})
afterEach(async () => {
  await killProcesses()
  await rm(settings.DATA_DIR as string, { recursive: true })
})

test('is completed by the next process, and a repeated request gets the response of the first', async () => {
  const items = Array.from({ length: 1000 }, (_, n) => ({
    external_id: `chair-${n}`,
    type: 'chair',
    destination: { url: 'https://acme.com/' },
    properties: Array.from({ length: 10 }, (_, key) => ({ key: `key-${key}`, value: '' })),
  }))
  const killed = await startServiceProcess(settings)
  const apiKey = await createFirstKey(settings)
  const post = (url: string) =>
    new Client(url, apiKey).post('/v1/objects/batch', { items }, { 'idempotency-key': 'chairs' })
  const unanswered = post(killed.url).catch(() => 'cut off')
  const database = new DatabaseSync(join(settings.DATA_DIR as string, 'waymark.db'), { readOnly: true, timeout: 5000 })
  const count = (table: string) => database.prepare(`select count(*) as count from ${table}`).get()?.count
  await eventually(() => count('unfinished_writes') !== 0)
  killed.send('SIGKILL')
  await killed.ended
  expect(await unanswered).toBe('cut off')
  expect(count('unfinished_writes')).not.toBe(0)
  expect(count('key_values')).not.toBe(10_000)

  const service = await startServiceProcess(settings)
  const tables = ['unfinished_writes', 'objects', 'key_values', 'events', 'scan_targets', 'idempotent_answers']
  expect(tables.map(count)).toEqual([0, 1000, 10_000, 1000, 1000, 1])
  database.close()
  const reply = await post(service.url)
  expect(reply).toMatchObject({ status: 200, body: { created: 1000, failed: 0 } })
  expect(reply.headers.get('idempotent-replayed')).toBe('true')
  const client = new Client(service.url, apiKey)
  const [first] = reply.body.data
  expect((await client.get('/v1/objects')).body.total).toBe(1000)
  expect((await client.get(`/v1/objects/${first.id}/properties`)).body.total).toBe(10)
  const scan = await fetch(`${service.url}${new URL(first.url).pathname}`, { redirect: 'manual' })
  expect(scan.headers.get('location')).toBe('https://acme.com/')
  const { data } = (await client.get('/v1/audit-log?limit=1')).body
  expect(data[0]).toMatchObject({ action: 'object.created' })
})
