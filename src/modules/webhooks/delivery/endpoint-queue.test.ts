import { expect, test } from 'vitest'
import type { DeliveryEndpoint } from '../webhooks/index.ts'
import { EndpointQueue } from './endpoint-queue.ts'

type Lane = 'new' | 'retry' | 'test'
const ROOM = { retry: true, suspect: true }
const ENDPOINT: DeliveryEndpoint = {
  id: 'endpoint',
  url: 'https://acme.com/',
  isActive: true,
  secret: '',
  oldSecret: undefined,
  isFailing: false,
}

const queueWith = (counts: Partial<Record<Lane, number>>) => {
  const queue = new EndpointQueue(ENDPOINT)
  for (const [lane, count] of Object.entries(counts)) put(queue, lane as Lane, count)
  return queue
}
const rows = (lane: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${lane}-${index}`, type: '', payload: {}, attempt_count: 0 }))
const put = (queue: EndpointQueue, lane: Lane, count: number) => {
  queue.beginRead()
  queue.put(lane, rows(lane, count), 100)
}
const start = (queue: EndpointQueue, room = ROOM) => {
  const started: string[] = []
  for (let next = queue.next(room); next !== undefined; next = queue.next(room)) started.push(next.delivery.id)
  return started
}

test('at most eight attempts are in flight, oldest first', () => {
  const queue = queueWith({ new: 20 })
  expect(start(queue)).toEqual(rows('new', 8).map(({ id }) => id))
  queue.ended('new', true)
  expect(start(queue)).toEqual(['new-8'])
})

test('retries alone take at most four attempts in flight; while first attempts wait, one', () => {
  expect(start(queueWith({ retry: 20 }))).toHaveLength(4)
  expect(start(queueWith({ retry: 20, new: 20 })).filter((id) => id.startsWith('retry'))).toEqual(['retry-0'])
  expect(start(queueWith({ retry: 20, new: 3 }))).toEqual([
    'retry-0',
    'new-0',
    'new-1',
    'new-2',
    'retry-1',
    'retry-2',
    'retry-3',
  ])
})

test('only first attempts start if the organisation has no room for retries', () => {
  expect(start(queueWith({ retry: 5, new: 2 }), { retry: false, suspect: true })).toEqual(['new-0', 'new-1'])
})

test('a test starts before everything else, one at a time, even while the endpoint is paused', () => {
  const queue = queueWith({ new: 20, test: 2 })
  expect(start(queue)).toHaveLength(9)
  const paused = queueWith({ new: 5, retry: 5, test: 2 })
  paused.update({ ...ENDPOINT, isActive: false })
  expect(start(paused)).toEqual(['test-0'])
  paused.ended('test', false)
  expect(start(paused)).toEqual(['test-1'])
})

test('pausing discards buffered deliveries, which can be read again', () => {
  const queue = queueWith({ new: 5 })
  queue.update({ ...ENDPOINT, isActive: false })
  expect(queue.isIdle).toBe(true)
  queue.update(ENDPOINT)
  put(queue, 'new', 5)
  expect(start(queue)).toHaveLength(5)
})

test('after three failures in a row it gets one attempt at a time, lanes in turn, until one succeeds', () => {
  const queue = queueWith({ new: 20, retry: 20 })
  start(queue)
  for (let ended = 0; ended < 7; ended++) queue.ended('new', false)
  expect(queue.isSuspect).toBe(true)
  expect(start(queue)).toEqual([])
  queue.ended('retry', false)
  const lanes: string[] = []
  for (let turn = 0; turn < 4; turn++) {
    expect(start(queue, { retry: true, suspect: false })).toEqual([])
    const [only, ...others] = start(queue)
    expect(others).toEqual([])
    lanes.push((only as string).split('-')[0] as string)
    queue.ended(lanes.at(-1) as Lane, false)
  }
  expect(lanes).toEqual(['retry', 'new', 'retry', 'new'])
  const next = queue.next(ROOM)
  queue.ended(next!.lane, true)
  expect(start(queue)).toHaveLength(8)
})

test('failed tests do not make an endpoint suspect', () => {
  const queue = queueWith({ new: 20, test: 5 })
  start(queue)
  for (let turn = 0; turn < 5; turn++) {
    queue.ended('test', false)
    start(queue)
  }
  expect(queue.isSuspect).toBe(false)
})

test('a delivery is not taken again before its outcome is stored', () => {
  const queue = queueWith({ new: 3 })
  const [first] = start(queue)
  put(queue, 'new', 4)
  expect(start(queue)).toEqual(['new-3'])
  queue.ended('new', false)
  put(queue, 'new', 4)
  expect(start(queue)).toEqual([])
  queue.stored(first as string)
  put(queue, 'new', 4)
  expect(start(queue)).toEqual(['new-0'])
})

test('a delivery whose outcome is stored during a read is not taken again by that read', () => {
  const queue = queueWith({ new: 1 })
  start(queue)
  const limit = queue.beginRead()
  queue.ended('new', true)
  queue.stored('new-0')
  queue.put('new', rows('new', 2), limit)
  expect(start(queue)).toEqual(['new-1'])
})

test('a lane is read again only if it runs low and the database may have more', () => {
  const queue = new EndpointQueue(ENDPOINT)
  expect(queue.lanesToRead()).toEqual([])
  queue.checkForMore('new')
  expect(queue.lanesToRead()).toEqual(['new'])
  const limit = queue.beginRead()
  queue.put('new', rows('new', limit), limit)
  expect(queue.lanesToRead()).toEqual([])
  for (let started = start(queue).length; started < 20; started += start(queue).length) queue.ended('new', true)
  expect(queue.lanesToRead()).toEqual(['new'])
  queue.put('new', [], queue.beginRead())
  expect(queue.lanesToRead()).toEqual([])
})
