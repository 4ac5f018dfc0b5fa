import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Client, type Reply } from '../testing/client.ts'
import { createDatabase, type TestDatabase } from '../testing/engines/database.ts'
import { SilentProxy } from '../testing/engines/silent-proxy.ts'
import { eventually } from '../testing/eventually.ts'
import {
  createFirstKey,
  killProcesses,
  type ServiceProcess,
  settingsFor,
  startServiceProcess,
} from '../testing/process.ts'

/** PostgreSQL keeps its connections open and stops responding. The service runs in its own process. */
describe.runIf(inject('engine') === 'postgres')('while PostgreSQL does not respond', () => {
  let database: TestDatabase
  let proxy: SilentProxy
  let service: ServiceProcess
  let client: Client

  beforeAll(async () => {
    database = await createDatabase()
    if (!('url' in database.location)) throw new Error('this test is for PostgreSQL')
    proxy = await SilentProxy.start(database.location.url)
    const settings = { ...settingsFor(database), DATABASE_URL: proxy.url, RATE_LIMIT_PER_MINUTE: '1000000' }
    service = await startServiceProcess({ ...settings, RATE_LIMIT_PER_HOUR: '1000000' })
    client = new Client(service.url, await createFirstKey(settingsFor(database)))
    expect((await client.get('/v1/me')).status).toBe(200)
  })
  afterAll(async () => {
    await killProcesses()
    await proxy[Symbol.asyncDispose]()
    await database.drop()
  })

  /** Reads and writes, short and long, several of each at once. More writes than there are connections. */
  const sendAll = (): Promise<Reply[]> =>
    Promise.all([
      ...Array.from({ length: 5 }, () => client.get('/v1/me')),
      ...Array.from({ length: 5 }, () => client.get('/v1/knowledge-bases?is_published=true')),
      ...Array.from({ length: 20 }, (_, n) =>
        client.post('/v1/qr-groups', { name: 'Doors' }, { 'idempotency-key': `silent-${n % 15}` }),
      ),
    ])

  test('every request gets 503 with Retry-After, and succeeds soon after PostgreSQL responds again', async () => {
    for (let round = 0; round < 2; round++) {
      proxy.silence()
      const replies = [...(await sendAll()), ...(await sendAll())]
      expect(replies.map(({ status, body, headers }) => [status, body.error, headers.get('retry-after')])).toEqual(
        replies.map(() => [503, 'service_unavailable', '1']),
      )
      expect((await client.get('/readyz')).status).toBe(503)
      proxy.resume()
      await eventually(async () => (await sendAll()).every(({ status }) => status < 300))
    }
  })

  test('SIGTERM ends the process', async () => {
    proxy.silence()
    const inFlight = client.get('/v1/me').then(
      ({ status }) => status,
      () => 'not accepted any more',
    )
    service.send('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' })
    expect([503, 'not accepted any more']).toContain(await inFlight)
  })
})
