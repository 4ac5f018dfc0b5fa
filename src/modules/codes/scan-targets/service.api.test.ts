import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import type { Database } from '../../../platform/db/types.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { createDatabase, type TestDatabase } from '../../../testing/engines/database.ts'
import { createOrganisation } from '../../account/organisations/index.ts'
import { destinationKey, toDestinationRef } from '../destinations/index.ts'
import { FIRST_VERSION } from '../versions/index.ts'
import { targetKey } from './keys.ts'
import { DrawnSlugTaken } from './queries.ts'
import { claimSlugs, findOwnTarget, loadTargets, retireTarget } from './service.ts'
import { type TargetSetup, toTargetSetup } from './setup.ts'
import { newSlug } from './slugs.ts'

const NOW = timestamp(1_800_000_000_000)
const SETUP: TargetSetup = { status: 'active', destination: null, params: [['ü', '🏷']], group: null }

let files: TestDatabase
let database: Database
let acme: OrgId
let other: OrgId
let announced: string[]

beforeAll(async () => {
  files = await createDatabase()
  database = await openDatabase(files.location)
  const create = (slug: string) =>
    database.write(async (tx) => (await createOrganisation(tx, { name: slug, slug }, NOW)).id)
  acme = await create('acme')
  other = await create('other')
  announced = []
  database.listen({
    changed: (topic, key) => announced.push(`${topic} ${key}`),
    interrupted: () => {},
    resumed: () => {},
  })
})
afterAll(async () => {
  await database.close()
  await files.drop()
})
beforeEach(() => {
  announced.length = 0
})

const drafts = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: newId(), setup: { ...SETUP, group: `${n}` } }))
/** With an alphabet of two characters, slugs collide all the time. */
const claim = (orgId: OrgId, kind: 'qr_code' | 'object', made: ReturnType<typeof drafts>, alphabet?: string) =>
  database.write((tx) => claimSlugs(tx, orgId, kind, made, () => newSlug(alphabet)))
const load = async (keys: string[]) =>
  new Map((await loadTargets(database.read, keys)).map((target) => [target.key, target]))

describe('slugs', () => {
  test('are returned in the order of the drafts, and each belongs to its draft', async () => {
    const made = drafts(500)
    const slugs = await claim(acme, 'qr_code', made)
    const keys = slugs.map((slug) => targetKey('qr_code', slug))
    const targets = await load(keys)
    expect(keys.map((key) => targets.get(key))).toEqual(
      made.map(({ id, setup }, n) => ({ key: keys[n], orgId: acme, id, setup })),
    )
    expect(new Set(announced)).toEqual(new Set(keys.map((key) => `scan_targets ${key}`)))
  })

  test('that collide are drawn again: a slug that was ever in use is never reused', async () => {
    const all: string[] = []
    // Claims nearly all of the 256 slugs, for two organisations in turn.
    for (const [orgId, count] of [
      [acme, 100],
      [other, 100],
      [acme, 50],
    ] as const) {
      const made = drafts(count)
      const slugs = await claim(orgId, 'qr_code', made, '23')
      const targets = await load(slugs.map((slug) => targetKey('qr_code', slug)))
      expect(slugs.map((slug) => targets.get(targetKey('qr_code', slug))?.id)).toEqual(made.map(({ id }) => id))
      all.push(...slugs)
      const [first] = slugs as [string]
      await database.write((tx) => retireTarget(tx, orgId, targetKey('qr_code', first)))
    }
    expect(new Set(all).size).toBe(250)
    for (const slug of all) expect(slug).toMatch(/^[23]{8}$/)
  })

  test('that are taken fail a transaction with a single draft, which stores nothing', async () => {
    expect(await claim(acme, 'object', drafts(1), '3')).toEqual(['33333333'])
    let before: string | undefined
    const failing = database.write(async (tx) => {
      ;[before] = await claimSlugs(tx, other, 'object', drafts(1))
      await claimSlugs(tx, other, 'object', drafts(1), () => '33333333')
    })
    await expect(failing).rejects.toBeInstanceOf(DrawnSlugTaken)
    const targets = await load(['object:33333333', `object:${before}`])
    expect([...targets.values()].map(({ orgId }) => orgId)).toEqual([acme])
  })

  test('of different kinds may be equal', async () => {
    expect(await claim(acme, 'object', drafts(1), '2')).toEqual(['22222222'])
    expect((await load(['object:22222222'])).size).toBe(1)
  })

  test('are none without drafts', async () => {
    expect(await claim(acme, 'qr_code', [])).toEqual([])
  })

  test('are not claimed by a transaction that rolls back', async () => {
    const failing = database.write(async (tx) => {
      const [slug] = (await claimSlugs(tx, acme, 'object', drafts(1))) as [string]
      throw new Error(slug)
    })
    const { message: slug } = (await failing.catch((error: unknown) => error)) as Error
    expect(slug).toHaveLength(8)
    expect(await load([targetKey('object', slug)])).toEqual(new Map())
  })
})

test('a retired target keeps its row without a setup, and only its own organisation can retire it', async () => {
  const [slug] = (await claim(acme, 'qr_code', drafts(1))) as [string]
  const key = targetKey('qr_code', slug)
  await database.write((tx) => retireTarget(tx, other, key))
  expect((await load([key])).get(key)?.setup).not.toBeNull()
  await database.write((tx) => retireTarget(tx, acme, key))
  expect((await load([key])).get(key)).toMatchObject({ orgId: acme, setup: null })
  expect(announced).toContain(`scan_targets ${key}`)
  expect(await findOwnTarget(database.read, acme, key)).toMatchObject({ setup: null })
  expect(await findOwnTarget(database.read, other, key)).toBeUndefined()
})

describe('a setup', () => {
  const NO_DESTINATION = {
    destination_type: null,
    destination_id: null,
    destination_url: null,
    destination_article_id: null,
  }
  const source = { id: newId(), status: 'active' as const, ...NO_DESTINATION, ...FIRST_VERSION }
  const id = newId()

  test.each<[string, object, string | undefined, Partial<TargetSetup>]>([
    ['without a destination', {}, undefined, { destination: null }],
    ['without a destination, even if a URL is given', {}, 'https://acme.com/', { destination: null }],
    [
      'to a URL',
      { destination_type: 'url', destination_url: 'https://acme.com/' },
      'https://acme.com/',
      { destination: { type: 'url', id: null, address: 'https://acme.com/' } },
    ],
    [
      'to a page',
      { destination_type: 'page', destination_id: id },
      '/p/help',
      { destination: { type: 'page', id, address: '/p/help' } },
    ],
    [
      'to a page that no longer exists',
      { destination_type: 'page', destination_id: id },
      undefined,
      { destination: null },
    ],
    [
      'to an article',
      { destination_type: 'knowledge_base', destination_id: id, destination_article_id: id },
      '/kb/help',
      { destination: { type: 'knowledge_base', id, address: `/kb/help/a/${id}` } },
    ],
    ['in a group', { group_id: id }, undefined, { group: `qr_group:${id}` }],
    ['in no group', { group_id: null }, undefined, { group: null }],
    ['on an object', { object_id: id }, undefined, { object: 'object:aB3dE5gH' }],
    ['on an object that was deleted', { object_id: newId() }, undefined, {}],
    ['in a later version', { version: 3 }, undefined, { version: 3 }],
    ['that is paused', { status: 'inactive' }, undefined, { status: 'inactive' }],
  ])('%s', (_name, changes, destinationUrl, expected) => {
    const params: TargetSetup['params'] = [['a', 'b']]
    const changed = { ...source, ...changes }
    const ref = toDestinationRef(changed)
    const isKnown = ref !== null && destinationUrl !== undefined
    const addresses = new Map(isKnown ? [[destinationKey(ref), destinationUrl]] : [])
    const parts = {
      addresses,
      extrasOf: () => ({ rules: null, scheduled: [] }),
      objectSlugs: new Map([[id, 'aB3dE5gH']]),
    }
    expect(toTargetSetup(changed, params, parts)).toEqual({
      ...{ status: 'active', destination: null, params, group: null },
      ...expected,
    })
  })
})
