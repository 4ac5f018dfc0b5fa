import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../testing/engines/database.ts'
import type { Database } from '../db/index.ts'
import { openDatabase } from '../db/open.ts'
import {
  adoptSecretKey,
  findSecretKeyState,
  Keyring,
  removeSecretKey,
  rotateSecrets,
  type SecretKeys,
} from './index.ts'

const NOW_MS = 1_800_000_000_000
const FIRST = { secretKey: 'a long enough secret' }
const OTHER = { secretKey: 'some other secret key' }
const REPLACED = { ...OTHER, oldSecretKey: FIRST.secretKey }

let files: TestDatabase
let database: Database

beforeAll(async () => {
  files = await createDatabase()
  database = await openDatabase(files.location)
})
beforeEach(() => database.write((tx) => tx.deleteFrom('keyring').execute()))
afterAll(async () => {
  await database.close()
  await files.drop()
})

const unseal = (keyring: Keyring, sealed: string) => keyring.open(sealed, database.read, NOW_MS)
const open = (keys: SecretKeys = {}) => Keyring.load(database, keys, NOW_MS)
const stateWith = (keys: SecretKeys) => findSecretKeyState(database.read, keys)
const stored = () => database.read.selectFrom('keyring').select(['generation', 'secret', 'wrapped']).execute()
/** A database that is used with the first key, and what was sealed and signed before that. */
async function adopted() {
  const keyring = await open()
  const sealed = keyring.seal('whsec_🏷')
  expect(await adoptSecretKey(database, FIRST)).toBe('plain')
  return { keyring, sealed }
}

test('processes open what others sealed', async () => {
  const sealed = (await open()).seal('whsec_🏷')
  expect(sealed).not.toContain('whsec')
  expect(await unseal(await open(), sealed)).toBe('whsec_🏷')
})

test('loading a keyring with SECRET_KEY does not bind the database to it', async () => {
  await open(FIRST)
  expect(await stored()).toMatchObject([{ wrapped: false }])
  await open(OTHER)
  await open()
})

test('adopting SECRET_KEY encrypts all secrets, and what was sealed before stays readable', async () => {
  await open()
  await rotateSecrets(database, {}, NOW_MS)
  const before = await stored()
  const { sealed } = await adopted()
  const after = await stored()
  expect(after.map(({ wrapped }) => wrapped)).toEqual([true, true])
  for (const { secret } of before) expect(JSON.stringify(after)).not.toContain(secret)
  expect(await unseal(await open(FIRST), sealed)).toBe('whsec_🏷')
  await expect(open()).rejects.toThrow('is used with a SECRET_KEY, and none is set')
  await expect(open(OTHER)).rejects.toThrow('SECRET_KEY is not the one')
})

test('of instances that start at once, one adopts SECRET_KEY; one with another value is refused', async () => {
  await open()
  const same = await Promise.all([1, 2, 3].map(() => adoptSecretKey(database, FIRST)))
  expect(same.sort()).toEqual(['matches', 'matches', 'plain'])
  await removeSecretKey(database, FIRST)
  const different = await Promise.allSettled([FIRST, OTHER].map((keys) => adoptSecretKey(database, keys)))
  const [refused] = different.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []))
  expect(different.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(refused).toContain('SECRET_KEY is not the one')
})

test('a secret that is added while others adopt SECRET_KEY is encrypted, too, or known to be left', async () => {
  await open()
  await Promise.allSettled([adoptSecretKey(database, FIRST), rotateSecrets(database, {}, NOW_MS)])
  const { length } = (await stored()).filter(({ wrapped }) => !wrapped)
  expect(await stateWith(FIRST)).toBe(length === 0 ? 'matches' : 'plain')
  await open(FIRST)
})

test('says how the settings fit the stored secrets', async () => {
  const all = () => Promise.all([{}, FIRST, OTHER, REPLACED].map(stateWith))
  expect(await all()).toEqual(['empty', 'empty', 'empty', 'empty'])
  await open(FIRST)
  expect(await all()).toEqual(['plain', 'plain', 'plain', 'plain'])
  await adoptSecretKey(database, FIRST)
  expect(await all()).toEqual(['missing', 'matches', 'wrong', 'former'])
  await rotateSecrets(database, REPLACED, NOW_MS)
  expect(await all()).toEqual(['missing', 'wrong', 'matches', 'matches'])
})

test('data that older keys sealed or signed stays valid after a rotation', async () => {
  const { keyring, sealed } = await adopted()
  const { generation, signature } = keyring.sign('cursor', 'data')
  expect(await rotateSecrets(database, FIRST, NOW_MS)).toEqual({ generation: generation + 1, isReplaced: false })
  const rotated = await open(FIRST)
  expect(await unseal(rotated, sealed)).toBe('whsec_🏷')
  expect(rotated.verify('cursor', generation, 'data', signature)).toBe(true)
  expect(rotated.sign('cursor', 'data').generation).toBe(generation + 1)
  expect(await stateWith(FIRST)).toBe('matches')
})

test('replaces SECRET_KEY while instances with both values run', async () => {
  const { sealed } = await adopted()
  const running = await open(REPLACED)
  expect(await adoptSecretKey(database, REPLACED), 'a start replaces nothing').toBe('former')
  expect(await rotateSecrets(database, REPLACED, NOW_MS)).toMatchObject({ isReplaced: true })
  const replaced = await open(OTHER)
  expect(await unseal(replaced, sealed)).toBe('whsec_🏷')
  expect(await unseal(running, replaced.seal('new'))).toBe('new')
  expect(running).toMatchObject({ problem: undefined, isBehind: false })
  await expect(open(FIRST)).rejects.toThrow('SECRET_KEY is not the one')
})

test('an instance with only the former SECRET_KEY goes on with what it knows, and says that it is behind', async () => {
  const { sealed } = await adopted()
  const running = await open(FIRST)
  await rotateSecrets(database, REPLACED, NOW_MS)
  const fresh = (await open(OTHER)).seal('new')
  await running.reload(database.read, NOW_MS)
  expect(running.problem).toContain('SECRET_KEY is not the one')
  expect(running.isBehind).toBe(true)
  expect(await unseal(running, sealed)).toBe('whsec_🏷')
  expect(await unseal(await open(OTHER), running.seal('from here'))).toBe('from here')
  await expect(unseal(running, fresh)).rejects.toMatchObject({ code: 'service_unavailable' })
})

test('an instance without SECRET_KEY goes on after another one has adopted it', async () => {
  const { keyring } = await adopted()
  await keyring.reload(database.read, NOW_MS)
  expect(keyring.problem).toContain('none is set')
  expect(keyring.isBehind, 'there is no secret that it does not know').toBe(false)
  expect(await unseal(await open(FIRST), keyring.seal('text'))).toBe('text')
})

test('removing SECRET_KEY stores the secrets as they were, so that none is needed', async () => {
  const { sealed } = await adopted()
  await rotateSecrets(database, FIRST, NOW_MS)
  await expect(removeSecretKey(database, OTHER)).rejects.toThrow('SECRET_KEY is not the one')
  expect(await removeSecretKey(database, FIRST)).toBe(true)
  expect(await removeSecretKey(database, {})).toBe(false)
  expect(await unseal(await open(), sealed)).toBe('whsec_🏷')
})

test('rotating refuses a SECRET_KEY that is not in use yet', async () => {
  await open()
  await expect(rotateSecrets(database, FIRST, NOW_MS)).rejects.toThrow('`npx waymark secret set`')
  expect(await stored()).toHaveLength(1)
})

test('rejects changed ciphertext', async () => {
  const keyring = await open()
  const sealed = keyring.seal('text')
  const last = sealed.at(-3)!
  await expect(unseal(keyring, sealed.slice(0, -3) + (last === 'A' ? 'B' : 'A') + sealed.slice(-2))).rejects.toThrow()
})

test('opens text that another process sealed after a rotation', async () => {
  const first = await open()
  await rotateSecrets(database, {}, NOW_MS)
  expect(await unseal(first, (await open()).seal('new'))).toBe('new')
})
