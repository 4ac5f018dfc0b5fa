import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timestamp } from '../../clock/index.ts'
import type { Database } from '../../db/index.ts'
import { migrate } from '../../db/migrate.ts'
import { openDatabase } from '../../db/open.ts'
import { newId, type OrgId } from '../../ids/index.ts'
import { Keyring, rotateSecrets } from '../../keyring/index.ts'
import { type CursorScope, decodeCursor, encodeCursor } from './cursors.ts'

let folder: string
let database: Database
let keyring: Keyring
const NOW_MS = 1_800_000_000_000

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-cursors-'))
  database = await openDatabase({ file: join(folder, 'test.db') })
  await migrate(database)
  keyring = await Keyring.load(database, {}, NOW_MS)
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

const position = fc
  .integer({ min: 0, max: 4_000_000_000_000 })
  .map((ms) => ({ created_at: timestamp(ms) as string, id: newId() }))
const scope = fc.record({
  orgId: fc.uuid() as fc.Arbitrary<string> as fc.Arbitrary<OrgId>,
  operationId: fc.constantFrom('events.list', 'scans.list'),
  filters: fc.dictionary(fc.string(), fc.option(fc.string(), { nil: undefined }), { maxKeys: 3 }),
})
const decode = (cursor: string, within: CursorScope, ring = keyring) =>
  decodeCursor(ring, database.read, NOW_MS, within, cursor)

test('decodes every cursor to its position', async () => {
  await fc.assert(
    fc.asyncProperty(scope, position, async (within, place) => {
      const cursor = encodeCursor(keyring, within, place)
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+={0,2}$/)
      expect(await decode(cursor, within)).toEqual(place)
    }),
  )
})

test('rejects a cursor with any bit flipped', async () => {
  await fc.assert(
    fc.asyncProperty(scope, position, async (within, place) => {
      const cursor = encodeCursor(keyring, within, place)
      for (let bit = 0; bit < cursor.length * 8; bit += 1) {
        const bytes = Buffer.from(cursor)
        bytes[bit >> 3]! ^= 1 << (bit & 7)
        await expect(decode(bytes.toString('latin1'), within)).rejects.toMatchObject({ code: 'invalid_cursor' })
      }
    }),
    { numRuns: 10 },
  )
})

test('rejects any other text', async () => {
  await fc.assert(
    fc.asyncProperty(scope, fc.oneof(fc.string(), fc.base64String()), async (within, text) => {
      await expect(decode(text, within)).rejects.toMatchObject({ code: 'invalid_cursor' })
    }),
  )
})

test('rejects a cursor of another organisation, list or set of filters', async () => {
  await fc.assert(
    fc.asyncProperty(scope, scope, position, async (within, otherScope, place) => {
      fc.pre(JSON.stringify(within) !== JSON.stringify(otherScope))
      const cursor = encodeCursor(keyring, within, place)
      await expect(decode(cursor, otherScope)).rejects.toMatchObject({ code: 'invalid_cursor' })
    }),
  )
})

test('after a rotation old cursors stay valid, and another instance loads the new key', async () => {
  const within = { orgId: newId() as OrgId, operationId: 'events.list', filters: {} }
  const place = { created_at: timestamp(NOW_MS), id: newId() }
  const otherInstance = await Keyring.load(database, {}, NOW_MS - 2000)
  const old = encodeCursor(keyring, within, place)
  await rotateSecrets(database, {}, NOW_MS)
  await keyring.reload(database.read, NOW_MS)
  expect(await decode(old, within)).toEqual(place)
  const fresh = encodeCursor(keyring, within, place)
  expect(fresh).not.toBe(old)
  expect(await decode(fresh, within, otherInstance)).toEqual(place)
})
