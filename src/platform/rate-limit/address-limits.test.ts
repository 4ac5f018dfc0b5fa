import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { AddressLimits, PACES } from './address-limits.ts'

const from = (address: string) => ({ address }) as unknown as IncomingMessage
const addressOf = (request: IncomingMessage) => (request as unknown as { address: string }).address

function limits(page = { atOnce: 3, perSecond: 2 }) {
  const state = { nowMs: 1_000_000, refused: [] as string[] }
  const clock = () => state.nowMs
  const { take } = {
    take: new AddressLimits({ ...PACES, page }, addressOf, clock, (limit) => state.refused.push(limit)),
  }
  return { state, take: (address = '192.0.2.1') => take.take('page', from(address)) }
}

test('an address may do some at once, and then as many a second as its pace', () => {
  const { state, take } = limits()
  expect([take(), take(), take()]).toEqual([0, 0, 0])
  expect(take()).toBe(1)
  state.nowMs += 499
  expect(take()).toBe(1)
  state.nowMs += 1
  expect([take(), take()]).toEqual([0, 1])
  state.nowMs += 1500
  expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 1])
  expect(state.refused).toEqual(Array(4).fill('address_page'))
})

test('after the seconds that it says, a request is admitted, however many were refused meanwhile', () => {
  const { state, take } = limits({ atOnce: 1, perSecond: 0.1 })
  expect(take()).toBe(0)
  for (let n = 0; n < 100; n++) expect(take()).toBe(10)
  state.nowMs += 10_000
  expect(take()).toBe(0)
})

test('addresses do not share a pace, but those of one IPv6 network do', () => {
  const { take } = limits({ atOnce: 1, perSecond: 1 })
  expect([take('192.0.2.1'), take('192.0.2.2'), take('2001:db8:1:1::1')]).toEqual([0, 0, 0])
  expect([take('2001:db8:1:1:ffff::2'), take('2001:db8:1:2::1')]).toEqual([1, 0])
})

test('a clock that is set back keeps nobody waiting', () => {
  const { state, take } = limits()
  expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 1])
  state.nowMs -= 500_000
  expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 1])
})
