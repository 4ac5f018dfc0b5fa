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

test('processes open what others sealed, and setting a SECRET_KEY later encrypts the stored secret', async () => {
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

test('explains a missing or wrong SECRET_KEY', async () => {
  await open('a long enough secret')
  await expect(open()).rejects.toThrow('was set up with a SECRET_KEY')
  await expect(open('some other secret key')).rejects.toThrow('SECRET_KEY is not the one')
})

test('data that older keys sealed or signed stays valid after a rotation', async () => {
  const keyring = await open('a long enough secret')
  const sealed = keyring.seal('old')
  const { generation, signature } = keyring.sign('cursor', 'data')
  expect(await keyring.rotate(database, NOW_MS)).toBe(generation + 1)
  expect(await unseal(keyring, sealed)).toBe('old')
  expect(keyring.verify('cursor', generation, 'data', signature)).toBe(true)
  expect(keyring.sign('cursor', 'data').generation).toBe(generation + 1)
})

test('rejects changed ciphertext', async () => {
  const keyring = await open('a long enough secret')
  const sealed = keyring.seal('text')
  const last = sealed.at(-3)!
  await expect(unseal(keyring, sealed.slice(0, -3) + (last === 'A' ? 'B' : 'A') + sealed.slice(-2))).rejects.toThrow()
})

test('opens text that another process sealed after a rotation', async () => {
  const [first, second] = [await open('a long enough secret'), await open('a long enough secret')]
  await second.rotate(database, NOW_MS)
  expect(await unseal(first, second.seal('new'))).toBe('new')
})
