import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { AddressLimits, PACES } from '../../rate-limit/index.ts'
import { createMetrics } from '../../telemetry/metrics.ts'
import { Gate } from './gate.ts'

afterEach(() => void vi.useRealTimers())

/** A response that the test ends. */
const toResponse = (closed = false) => Object.assign(new EventEmitter(), { closed }) as unknown as ServerResponse

test('a flood of refused requests waits for its responses, and nobody else does', async () => {
  const limits = new AddressLimits(
    { ...PACES, page: { atOnce: 10, perSecond: 1 } },
    () => '203.0.113.1',
    Date.now,
    () => {},
  )
  const gate = new Gate(limits, createMetrics(), () => '203.0.113.1')
  const done: number[] = []
  const send = async () => done.push(await gate.admit('page', {} as IncomingMessage, toResponse(true)))
  const flood = Promise.all(Array.from({ length: 150 }, send))
  for (let n = 0; n < 50; n++) await nextTurn()
  expect(done.filter((seconds) => seconds === 0)).toHaveLength(10)
  const refused = done.length - 10
  // A few more if the machine is slow, because some are allowed in each second.
  expect(refused).toBeGreaterThanOrEqual(100)
  expect(refused).toBeLessThan(140)
  expect(await gate.admit('form', {} as IncomingMessage, toResponse(true))).toBe(0)
  await flood
  expect(done).toHaveLength(150)
})

test('an address has a few requests at once, the others begin after those, and other addresses need not wait', async () => {
  const addressOf = ({ url = '' }: IncomingMessage) => url
  const limits = new AddressLimits(PACES, addressOf, Date.now, () => {})
  const gate = new Gate(limits, createMetrics(), addressOf)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const begun: ServerResponse[] = []
  const send = async (url: string) => {
    const response = toResponse()
    await gate.admit('page', { url } as IncomingMessage, response)
    begun.push(response)
  }
  const settle = async () => {
    for (let n = 0; n < 20; n++) await nextTurn()
  }
  for (let n = 0; n < 10; n++) void send('203.0.113.1')
  await settle()
  expect(begun).toHaveLength(4)
  await send('203.0.113.2')
  for (const response of begun.splice(0)) response.emit('close')
  await settle()
  expect(begun).toHaveLength(4)
  // Nothing ends these: the last ones begin after a while.
  vi.advanceTimersByTime(50)
  await settle()
  expect(begun).toHaveLength(6)
})
