import { expect, test } from 'vitest'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { DeliveryEndpoint } from '../webhooks/index.ts'
import { OrganisationQueue, type Source } from './organisation-queue.ts'

const endpoint = (id: string, changes: Partial<DeliveryEndpoint> = {}): DeliveryEndpoint => ({
  ...{ id, url: 'https://acme.com/', isActive: true, secret: 'first', oldSecret: undefined, isFailing: false },
  ...changes,
})

/** Endpoints with an unlimited number of deliveries in one lane. */
const source = (endpoints: DeliveryEndpoint[], lane: 'new' | 'retry' = 'new'): Source => ({
  endpoints: async () => endpoints,
  lanes: async () => endpoints.map(({ id }) => ({ endpointId: id, lane })),
  read: async (endpointId, _lane, limit) =>
    Array.from({ length: limit }, (_, index) => ({
      id: `${endpointId}-${index}`,
      type: '',
      payload: {},
      attempt_count: 0,
    })),
})

const queueOf = async (filled: Source) => {
  const queue = new OrganisationQueue('org' as OrgId)
  await queue.refill(filled)
  return queue
}

function startAll(queue: OrganisationQueue) {
  const jobs = []
  for (let job = queue.next(); job !== undefined; job = queue.next()) jobs.push(job)
  return jobs
}

const many = (count: number) => Array.from({ length: count }, (_, index) => endpoint(`e${index}`))

test('at most 32 attempts are in flight, and endpoints take turns', async () => {
  const jobs = startAll(await queueOf(source(many(10))))
  expect(jobs).toHaveLength(32)
  const counts = Map.groupBy(jobs, (job) => job.endpoint.id)
  for (const jobsOfOne of counts.values()) expect(jobsOfOne.length).toBeGreaterThanOrEqual(3)
})

test('retries take at most half of the attempts in flight', async () => {
  expect(startAll(await queueOf(source(many(10), 'retry')))).toHaveLength(16)
})

test('suspect endpoints share a quarter of the attempts in flight, however many there are', async () => {
  const queue = await queueOf(source(many(20)))
  for (let round = 0; round < 5; round++) for (const job of startAll(queue)) queue.ended(job, false)
  expect(startAll(queue)).toHaveLength(8)
})

test('no attempt starts between a change of an endpoint and reading it again', async () => {
  const queue = await queueOf(source([endpoint('one')]))
  queue.endpointsChanged()
  expect(queue.next()).toBeUndefined()
  const changed = source([endpoint('one', { secret: 'second' })])
  const { promise, resolve } = Promise.withResolvers<void>()
  const refilling = queue.refill({
    ...changed,
    endpoints: async () => {
      await promise
      return changed.endpoints()
    },
  })
  expect(queue.next()).toBeUndefined()
  resolve()
  await refilling
  expect(queue.next()?.endpoint.secret).toBe('second')
})

test('a change announced while endpoints are read causes another read', async () => {
  const queue = new OrganisationQueue('org' as OrgId)
  await queue.refill({
    ...source([endpoint('one')]),
    endpoints: async () => {
      queue.endpointsChanged()
      return [endpoint('one')]
    },
  })
  expect(queue.next()).toBeUndefined()
  expect(queue.needsRefill).toBe(true)
})

test('discarded deliveries are not sent, and can be read again', async () => {
  const queue = await queueOf(source([endpoint('one')]))
  queue.discardUnstarted()
  expect(queue.isIdle).toBe(true)
  expect(queue.next()).toBeUndefined()
  await queue.refill(source([endpoint('one')]))
  expect(startAll(queue)).toHaveLength(8)
})
