import { expect, test } from 'vitest'
import { TokenLookups } from './token-lookups.ts'

const START_MS = 1_800_000_000_000

function counted(found: string | undefined) {
  let loads = 0
  const lookups = new TokenLookups(async () => {
    loads++
    return found
  })
  return { lookups, loads: () => loads }
}

test('remembers for half a second what a token stands for, also that it stands for nothing', async () => {
  for (const found of ['found', undefined]) {
    const { lookups } = counted(found)
    expect(lookups.cached('a', START_MS)).toBeUndefined()
    expect(await lookups.load('a', START_MS)).toBe(found)
    expect(lookups.cached('a', START_MS + 499)).toMatchObject({ found })
    expect(lookups.cached('a', START_MS + 500)).toBeUndefined()
  }
})

test('concurrent lookups of a token share one', async () => {
  const { lookups, loads } = counted('found')
  await Promise.all([lookups.load('a', START_MS), lookups.load('a', START_MS), lookups.load('b', START_MS)])
  expect(loads()).toBe(2)
})

test('forgets a token that was changed', async () => {
  const { lookups, loads } = counted('found')
  await lookups.load('a', START_MS)
  lookups.forget('a')
  expect(lookups.cached('a', START_MS)).toBeUndefined()
  await lookups.load('a', START_MS)
  expect(loads()).toBe(2)
})

test('a lookup that failed is not remembered', async () => {
  let isDown = true
  const lookups = new TokenLookups(async () => {
    if (isDown) throw new Error('down')
    return 'found'
  })
  await expect(lookups.load('a', START_MS)).rejects.toThrow('down')
  isDown = false
  expect(await lookups.load('a', START_MS)).toBe('found')
})

test('a token is looked up again after the clock went back or forward', async () => {
  for (const jumpMs of [-3_600_000, 86_400_000]) {
    const { lookups } = counted('found')
    await lookups.load('a', START_MS)
    expect(lookups.cached('a', START_MS + jumpMs)).toBeUndefined()
  }
})
