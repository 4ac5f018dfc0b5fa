/** Addresses are resolved from the cache, and changes take effect in all processes. */
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import type { Database } from '../../../platform/db/types.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { createDatabase, setReachable, type TestDatabase } from '../../../testing/engines/database.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createOrganisation } from '../../account/organisations/index.ts'
import { findShownDomains } from '../../domains/custom-domain-routes/index.ts'
import { type HostRules, PublicHosts } from '../../domains/custom-domains/index.ts'
import { claimSlugs, publishTarget, retireTarget, type TargetSetup, targetKey } from '../scan-targets/index.ts'
import { FIRST_VERSION } from '../versions/index.ts'
import { type ScanAddress, toGs1Address } from './address.ts'
import { Resolver } from './resolve.ts'

const NOW_MS = 1_800_000_000_000
const HOST = 'acme.example'
const RULES: HostRules = { ownHosts: [HOST], acceptsAnyHost: false }
const OIL = { key: '01', value: '09506000134352', qualifiers: [] }
const SETUP: TargetSetup = { status: 'active', destination: null, params: [], group: null }

let files: TestDatabase
let opened: Database[]
let resolvers: { close(): void }[]
let database: Database
let selects: number
let orgId: OrgId

beforeEach(async () => {
  files = await createDatabase()
  opened = []
  resolvers = []
  selects = 0
  database = await open()
  orgId = await createTenant('acme')
})
afterEach(async () => {
  for (const resolver of resolvers) resolver.close()
  for (const each of opened) await each.close()
  await files.drop()
})

async function open(): Promise<Database> {
  const each = await openDatabase(files.location, {
    observe: (text) => {
      if (text.startsWith('select')) selects++
    },
  })
  opened.push(each)
  return each
}

/** Opens a resolver and waits until it receives announcements. */
async function openResolver(over = database, rules = RULES): Promise<Resolver> {
  const find = (db: Database['read'], names: readonly string[]) => findShownDomains(db, names, `https://${HOST}`)
  const hosts = new PublicHosts(over, rules, find, () => NOW_MS)
  const resolver = new Resolver(over, hosts, () => NOW_MS)
  resolvers.push(resolver, hosts)
  const probe: ScanAddress = { kind: 'qr_code', slug: '22222222' }
  const host = rules.ownHosts[0]!
  await eventually(async () => {
    await resolver.find(probe, host)
    return resolver.peek(probe, host) === null
  })
  return resolver
}

const createTenant = async (slug: string): Promise<OrgId> =>
  database.write(async (tx) => (await createOrganisation(tx, { name: slug, slug }, timestamp(NOW_MS))).id)

async function createCode(
  setup: Partial<TargetSetup> = {},
  owner = orgId,
): Promise<{ address: ScanAddress; id: string; key: string }> {
  const id = newId()
  const [slug] = (await database.write((tx) =>
    claimSlugs(tx, owner, 'qr_code', [{ id, setup: { ...SETUP, ...setup } }]),
  )) as [string]
  return { address: { kind: 'qr_code', slug }, id, key: targetKey('qr_code', slug) }
}

const publish = (
  key: string,
  id: string,
  status: TargetSetup['status'],
  group_id: string | null = null,
  over = database,
) =>
  over.write((tx) =>
    publishTarget(tx, orgId, key, {
      ...{
        id,
        status,
        group_id,
        destination_type: null,
        destination_id: null,
        destination_url: null,
        destination_article_id: null,
        ...FIRST_VERSION,
      },
    }),
  )

const statusOf = async (resolver: Resolver, address: ScanAddress) => (await resolver.find(address, HOST))?.setup?.status

describe('in one process', () => {
  test('a code is loaded once and then resolved from the cache', async () => {
    const { address, id } = await createCode()
    const resolver = await openResolver()
    expect(resolver.peek(address, HOST)).toBeUndefined()
    const found = await resolver.find(address, HOST)
    const alone = { group: null, object: null, objectId: null, properties: null, links: [], gs1Key: null }
    const common = { kind: 'qr_code', orgId, id, setup: SETUP, domainUrl: null, hasSubscribers: false, ...alone }
    expect(found).toEqual({ ...common, redirectStatus: 302 })
    const before = selects
    expect(resolver.peek(address, HOST)).toEqual(found)
    expect(await resolver.find(address, HOST)).toEqual(found)
    expect(selects).toBe(before)
  })

  test('returns the new setup as soon as a change is acknowledged', async () => {
    const resolver = await openResolver()
    const { address, id, key } = await createCode()
    for (const status of ['inactive', 'archived', 'active', 'unconfigured'] as const) {
      // These run while the setup changes.
      const concurrent = Array.from({ length: 20 }, () => resolver.find(address, HOST))
      await publish(key, id, status)
      expect(await statusOf(resolver, address)).toBe(status)
      await Promise.all(concurrent)
      expect(await statusOf(resolver, address)).toBe(status)
    }
    await database.write((tx) => retireTarget(tx, orgId, key))
    expect(await resolver.find(address, HOST)).toMatchObject({ id, setup: null })
  })

  test('a change of a group applies to all its codes, and a deleted group counts as none', async () => {
    const resolver = await openResolver()
    const group = newId()
    const groupKey = targetKey('qr_group', group)
    await publish(groupKey, group, 'active')
    const codes = [await createCode({ group: groupKey }), await createCode({ group: groupKey })]
    for (const status of ['inactive', 'archived'] as const) {
      await publish(groupKey, group, status)
      for (const { address } of codes) expect((await resolver.find(address, HOST))?.group).toMatchObject({ status })
    }
    await database.write((tx) => retireTarget(tx, orgId, groupKey))
    for (const { address } of codes)
      expect(await resolver.find(address, HOST)).toMatchObject({ setup: { status: 'active' }, group: null })
  })

  test('a thousand guessed addresses need few queries, and none the second time', async () => {
    const resolver = await openResolver()
    const guesses = Array.from({ length: 1000 }, (_, n): ScanAddress => ({ kind: 'qr_code', slug: `guess${n + 100}` }))
    const before = selects
    expect(new Set(await Promise.all(guesses.map((guess) => resolver.find(guess, HOST))))).toEqual(new Set([null]))
    expect(selects - before).toBeLessThanOrEqual(Math.ceil(1000 / 64) + 1)
    const afterwards = selects
    for (const guess of guesses) expect(resolver.peek(guess, HOST)).toBeNull()
    expect(selects).toBe(afterwards)
  })

  test('an unknown host resolves nothing, unless any host is accepted', async () => {
    const strict = await openResolver()
    const open = await openResolver(database, { ...RULES, acceptsAnyHost: true })
    const { address, id } = await createCode()
    for (const host of ['elsewhere.example', '', `${HOST}.`, `x.${HOST}`, '127.0.0.1']) {
      expect(await strict.find(address, host)).toBeNull()
      expect(await open.find(address, host)).toMatchObject({ id })
    }
  })

  test('a product is found by its organisation and number, and not under another organisation', async () => {
    const resolver = await openResolver()
    const other = await createTenant('other')
    const id = newId()
    await publish(targetKey('product', `${orgId}/09506000134352`), id, 'active')
    const product = (organisation: string | null): ScanAddress => toGs1Address(OIL, organisation)
    expect(await resolver.find(product('acme'), HOST)).toMatchObject({ kind: 'product', orgId, id })
    for (const organisation of ['other', 'nobody', other, null]) {
      expect(await resolver.find(product(organisation), HOST)).toBeNull()
    }
  })
})

describe.runIf(inject('engine') === 'postgres')('in several processes', () => {
  test('a change in one process invalidates the cache of another', async () => {
    const here = await openResolver(await open())
    const { address, id, key } = await createCode()
    expect(await statusOf(here, address)).toBe('active')
    await publish(key, id, 'inactive')
    await eventually(() => here.peek(address, HOST) === undefined)
    expect(await statusOf(here, address)).toBe('inactive')
  })

  test('a target created in one process is found by another that knew it as absent', async () => {
    const here = await openResolver(await open())
    const address: ScanAddress = toGs1Address(OIL, 'acme')
    expect(await here.find(address, HOST)).toBeNull()
    expect(here.peek(address, HOST)).toBeNull()
    await publish(targetKey('product', `${orgId}/09506000134352`), newId(), 'active')
    await eventually(() => here.peek(address, HOST) === undefined)
    expect(await statusOf(here, address)).toBe('active')
  })

  test('cached codes still resolve while the database is away, and changes apply when it is back', async () => {
    const [known, unknown] = [await createCode(), await createCode()]
    const resolver = await openResolver(await open())
    const before = await resolver.find(known.address, HOST)
    await setReachable(files.location, false)
    await eventually(() => resolver.peek(known.address, HOST) === undefined)
    expect(await resolver.find(known.address, HOST)).toEqual(before)
    const failing = resolver.find(unknown.address, HOST).catch((error: unknown) => error)
    expect(await failing).toBeInstanceOf(DatabaseUnavailable)

    await setReachable(files.location, true)
    await eventually(async () => {
      await publish(known.key, known.id, 'inactive').catch(() => undefined)
      return (await statusOf(resolver, known.address)) === 'inactive'
    })
    expect(await resolver.find(unknown.address, HOST)).toMatchObject({ id: unknown.id })
    // And then it is cached again.
    await eventually(async () => {
      await resolver.find(known.address, HOST)
      return resolver.peek(known.address, HOST)?.setup?.status === 'inactive'
    })
  })
})
