import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AddressLimits, PACES } from '../../rate-limit/index.ts'
import { createMetrics } from '../../telemetry/metrics.ts'
import { Gate } from './gate.ts'

test('a flood of refused requests waits for its responses, and nobody else does', async () => {
  const limits = new AddressLimits(
    { ...PACES, page: { atOnce: 10, perSecond: 1 } },
    () => '203.0.113.1',
    Date.now,
    () => {},
  )
  const gate = new Gate(limits, createMetrics(), () => '203.0.113.1')
  const done: number[] = []
  const send = async () => done.push(await gate.admit('page', {} as IncomingMessage))
  const flood = Promise.all(Array.from({ length: 150 }, send))
  for (let n = 0; n < 50; n++) await nextTurn()
  expect(done.filter((seconds) => seconds === 0)).toHaveLength(10)
  const refused = done.length - 10
  // A few more if the machine is slow, because some are allowed in each second.
  expect(refused).toBeGreaterThanOrEqual(100)
  expect(refused).toBeLessThan(140)
  expect(await gate.admit('form', {} as IncomingMessage)).toBe(0)
  await flood
  expect(done).toHaveLength(150)
})
