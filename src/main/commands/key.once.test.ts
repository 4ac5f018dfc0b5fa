/** What keys may do that operators create. Their other commands are tested beside a running service. */
import { afterAll, expect, test } from 'vitest'
import { useHarness } from '../../testing/harness.ts'
import { killProcesses, runCommand, settingsFor } from '../../testing/process.ts'

const harness = useHarness()
afterAll(killProcesses)

test('a key has the scopes that are named, and may choose slugs on our own host only if that is one of them', async () => {
  const { slug } = await harness.createTenant()
  const createKey = (...args: string[]) =>
    runCommand(['key', 'create', '--org', slug, '--name', 'Labels', '--json', ...args], settingsFor(harness))
  const choose = async (apiKey: string) =>
    (await harness.client(apiKey).post('/v1/qr-codes', { public_slug: 'spring-sale' })).status

  const { json: usual } = await createKey()
  expect(await choose(usual.api_key)).toBe(403)
  const { code, json: named } = await createKey('--scopes', 'all, codes.slugs')
  expect(code).toBe(0)
  expect(named.scopes).toEqual(['all', 'codes.slugs'])
  expect(await choose(named.api_key)).toBe(201)

  const { code: refused, json: unknown } = await createKey('--scopes', 'all,codes.words')
  expect(refused).toBe(1)
  expect(unknown.error.message).toContain('codes.words')
})
