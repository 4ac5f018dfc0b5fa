import { afterEach, expect, test, vi } from 'vitest'
import { QueueFull } from '../bounded/index.ts'
import { PasswordHasher } from './hash-password.ts'

const hasher = new PasswordHasher()
afterEach(() => {
  vi.useRealTimers()
})

test('verifies the right password only', async () => {
  const stored = await hasher.hash('lamp river seven', 'a')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=32768,t=3,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await hasher.verify('lamp river seven', stored, 'a')).toBe(true)
  expect(await hasher.verify('lamp river Seven', stored, 'a')).toBe(false)
  expect(await hasher.verify('', stored, 'a')).toBe(false)
})

test('two hashes of one password differ', async () => {
  const [first, second] = [await hasher.hash('lamp river seven', 'a'), await hasher.hash('lamp river seven', 'a')]
  expect(first).not.toBe(second)
})

test('the same letters verify however they were typed', async () => {
  const stored = await hasher.hash('cafe\u0301 river seven', 'a')
  expect(await hasher.verify('caf\u00e9 river seven', stored, 'a')).toBe(true)
})

test('nobody’s password is right, and that takes as many steps as a wrong one', async () => {
  expect(await hasher.verify('lamp river seven', null, 'a')).toBe(false)
})

test('a hash with another cost still verifies, and is outdated', async () => {
  // The hash of "lamp river seven", with 8 MiB and one pass.
  const cheap = await cheapHash('lamp river seven')
  expect(await hasher.verify('lamp river seven', cheap, 'a')).toBe(true)
  expect(hasher.isOutdated(cheap)).toBe(true)
  expect(hasher.isOutdated(await hasher.hash('lamp river seven', 'a'))).toBe(false)
})

test('many attempts of one client wait, the rest is refused, and another client is served next', async () => {
  // Nobody waits too long, however busy the machine is.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const cheap = new PasswordHasher(undefined, { memory: 1024, passes: 1, parallelism: 1 })
  let verified = 0
  const crowd = Array.from({ length: 40 }, () =>
    cheap.verify('x', null, 'attacker').then(
      () => verified++,
      (error) => error,
    ),
  )
  await cheap.verify('x', null, 'person')
  expect(verified).toBeLessThanOrEqual(2)
  const refused = (await Promise.all(crowd)).filter((result) => result instanceof QueueFull)
  expect({ verified, refused: refused.length }).toEqual({ verified: 21, refused: 19 })
})

async function cheapHash(password: string): Promise<string> {
  const { argon2Sync } = await import('node:crypto')
  const nonce = Buffer.alloc(16, 7)
  const tag = argon2Sync('argon2id', {
    message: password,
    nonce,
    parallelism: 1,
    tagLength: 32,
    memory: 8192,
    passes: 1,
  })
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=8192,t=1,p=1$${encode(nonce)}$${encode(tag)}`
}
