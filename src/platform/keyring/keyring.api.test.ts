import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../testing/engines/database.ts'
import type { Database } from '../db/index.ts'
import { openDatabase } from '../db/open.ts'
import { Keyring } from './index.ts'

const NOW_MS = 1_800_000_000_000
let files: TestDatabase
let database: Database

beforeAll(async () => {
  files = await createDatabase()
  database = await openDatabase(files.location)
})
afterAll(async () => {
  await database.close()
  await files.drop()
})

const unseal = (keyring: Keyring, sealed: string) => keyring.open(sealed, database.read, NOW_MS)
const open = (secretKey?: string) => Keyring.load(database, secretKey, NOW_MS)

test('what one process sealed another opens; a SECRET_KEY set later takes the stored secret out of sight', async () => {
  const plain = await open()
  const sealed = plain.seal('whsec_🏷')
  expect(sealed).not.toContain('whsec')
  expect(await unseal(await open(), sealed)).toBe('whsec_🏷')

  const before = await database.read.selectFrom('keyring').select('secret').executeTakeFirstOrThrow()
  const wrapped = await open('a long enough secret')
  const after = await database.read.selectFrom('keyring').select('secret').executeTakeFirstOrThrow()
  expect(after.secret).not.toBe(before.secret)
  expect(await unseal(wrapped, sealed)).toBe('whsec_🏷')
})

test('a missing or wrong SECRET_KEY is told in words', async () => {
  await open('a long enough secret')
  await expect(open()).rejects.toThrow('was set up with a SECRET_KEY')
  await expect(open('some other secret key')).rejects.toThrow('SECRET_KEY is not the one')
})

test('a rotation keeps what older keys sealed and signed', async () => {
  const keyring = await open('a long enough secret')
  const sealed = keyring.seal('old')
  const { generation, signature } = keyring.sign('cursor', 'data')
  expect(await keyring.rotate(database, NOW_MS)).toBe(generation + 1)
  expect(await unseal(keyring, sealed)).toBe('old')
  expect(keyring.verify('cursor', generation, 'data', signature)).toBe(true)
  expect(keyring.sign('cursor', 'data').generation).toBe(generation + 1)
})

test('changed ciphertext does not open', async () => {
  const keyring = await open('a long enough secret')
  const sealed = keyring.seal('text')
  const last = sealed.at(-3)!
  await expect(unseal(keyring, sealed.slice(0, -3) + (last === 'A' ? 'B' : 'A') + sealed.slice(-2))).rejects.toThrow()
})

test('what another process sealed after a rotation opens at once', async () => {
  const [here, there] = [await open('a long enough secret'), await open('a long enough secret')]
  await there.rotate(database, NOW_MS)
  expect(await unseal(here, there.seal('new'))).toBe('new')
})
