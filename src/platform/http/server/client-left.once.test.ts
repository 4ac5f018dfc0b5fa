import { expect, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ role: 'api' })

/** More than PostgreSQL runs for one organisation at once. */
const TRANSACTIONS = 20

test('a change whose client leaves while it waits for its turn is not made', async () => {
  const acme = await harness.createTenant()
  const { database } = harness.service
  // The first request of a key also stores when it was used, which would wait, too.
  await acme.get('/v1/me')
  await eventually(() => database.writeQueue.running === 0)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const earlier = Array.from({ length: TRANSACTIONS }, () => database.write(() => released, acme.orgId))
  const { waiting } = database.writeQueue
  expect(waiting).toBeGreaterThan(0)

  const leaving = new AbortController()
  const create = (name: string, signal?: AbortSignal) =>
    fetch(`${harness.baseUrl}/v1/qr-groups`, {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
      ...(signal && { signal }),
    })
  const left = create('Left', leaving.signal).catch(() => {})
  const stayed = create('Stayed')
  await eventually(() => database.writeQueue.waiting === waiting + 2)
  leaving.abort()
  await left
  // By then, the service has noticed.
  for (let n = 0; n < 10; n++) await fetch(`${harness.baseUrl}/healthz`)
  release()
  await Promise.all(earlier)

  expect((await stayed).status).toBe(201)
  const { data } = (await acme.get('/v1/qr-groups')).body
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['Stayed'])
})
