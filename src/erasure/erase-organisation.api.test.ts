/** Tests the guarantee that a deleted organisation leaves nothing behind and takes nothing of others with it. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { addMember } from '../modules/account/members/index.ts'
import { createLink } from '../modules/account/one-time-links/index.ts'
import { getRole } from '../modules/account/roles/index.ts'
import { findUser } from '../modules/account/users/index.ts'
import { createAnalyser } from '../modules/knowledge/article-search/index.ts'
import { DAY_MS, timestamp } from '../platform/clock/index.ts'
import type { Database } from '../platform/db/index.ts'
import { openLocalStore } from '../platform/files/local-store.ts'
import { saveFile } from '../platform/files/testing/files.ts'
import { newId, type OrgId } from '../platform/ids/index.ts'
import { createLogger } from '../platform/telemetry/logging.ts'
import { indexArticles } from '../testing/data/index-articles.ts'
import { fillLists } from '../testing/data/lists.ts'
import { ask } from '../testing/data/questions.ts'
import { createForm, receive } from '../testing/data/submissions.ts'
import { insertTestRows } from '../testing/engines/insert-test-rows.ts'
import { type Tenant, useHarness } from '../testing/harness.ts'
import { eraseOrganisation } from './erase-organisation.ts'
import { erasePerson } from './erase-person.ts'
import { ERASED_TABLES, LAST_TRANSACTION, SEARCH_TABLES } from './erased-tables.ts'
import { eraseDue } from './erasing.ts'

/** There are no workers, which would add rows and delete some meanwhile. */
const harness = useHarness({ role: 'api' })
const FILTERED = { type: 'chair', article_status: 'published', is_published: 'true', event: 'qr_code.created' }

const database = () => harness.service.database
const store = () => openLocalStore(join(harness.folder, 'assets'))
const now = () => timestamp(harness.nowMs())

const analyser = createAnalyser()
afterAll(() => analyser.close())

/** The tables of the real schema that have rows of organisations. */
async function tenantTables(): Promise<string[]> {
  const tables = await database().kysely.introspection.getTables()
  return tables.filter(({ columns }) => columns.some(({ name }) => name === 'org_id')).map(({ name }) => name)
}

/** How many rows an organisation has in each table. */
async function countRows(orgId: OrgId): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const table of await tenantTables()) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(table)} where "org_id" = ${orgId}`.execute(database().kysely)
    counts.set(table, Number(rows[0]?.n))
  }
  return counts
}

let vectors = 0

/** Fills every table of an organisation. */
async function fillOrganisation(tenant: Tenant, count: number): Promise<void> {
  const { orgId } = tenant
  const { values } = await fillLists(harness, tenant, count, FILTERED)
  const endpoint = values.webhook as string
  const product = values.product as string
  await tenant.put(`/v1/qr-codes/${values.code}/properties`, { properties: [{ key: 'size', value: 'L' }] })
  await tenant.put(`/v1/products/${product}/properties`, { properties: [{ key: 'size', value: 'L' }] })
  await tenant.put(`/v1/knowledge-bases/${values.base}/synonyms`, { synonyms: [['sofa', 'couch']] })
  await tenant.post('/v1/qr-groups', { name: 'Once' }, { 'idempotency-key': newId() })
  await tenant.delete(`/v1/qr-groups/${(await tenant.post('/v1/qr-groups', { name: 'Gone' })).body.id}`)
  await tenant.patch(`/v1/articles/${values.article}`, { content: 'Wipe it again.', slug: 'wiped' })
  const { id: erased } = await receive(harness, tenant, (await createForm(tenant)).id, {}, { formKey: 'once' })
  await tenant.delete(`/v1/submissions/${erased}`)
  const owner = await harness.createPerson(tenant, 'owner')
  await owner.post('/v1/team/invitations', { email: 'new@acme.com', role_id: getRole('member').id })
  const text = { language: 'en', title: 'Oak table', plain: 'Wipe it with a soft cloth.' }
  await indexArticles(database(), analyser, orgId, [
    { id: values.article as string, knowledge_base_id: values.base as string, visibility: 'public', texts: [text] },
  ])
  await ask(harness, tenant, values.chatbot as string, 'How do I oil the table?')
  const vote = { org_id: orgId, is_helpful: true, created_at: now() }
  const asset = `${newId()}.png`
  await saveFile(store(), asset, [Buffer.from('image')])
  await database().write(async (tx) => {
    await createLink(tx, 'set_up', { orgId }, now())
    const known = { org_id: orgId, credential_id: newId(), address: '203.0.113.7', created_at: now() }
    await insertTestRows(tx, 'known_addresses', [known])
    const delivery = { org_id: orgId, endpoint_id: endpoint, delivery_id: newId(), number: 1, started_at: now() }
    const response = { duration_ms: 5, response_status: 200, error: null, response_body: null }
    const attempt = { ...delivery, ...response, status_after: 'delivered' as const, next_attempt_at: null }
    await insertTestRows(tx, 'webhook_attempts', [attempt])
    const batch = { org_id: orgId, batch_id: newId(), endpoint_id: endpoint, type: FILTERED.event, event_count: 0 }
    await insertTestRows(tx, 'event_fan_outs', [{ ...batch, created_at: now() }])
    const file = { org_id: orgId, file_name: 'a.png', size_bytes: 5, created_at: now() }
    const size = { width: null, height: null, measured_at: null }
    const stored = { hash: null, visibility: 'public' as const, is_upload: false, stored_at: now(), ...size }
    const assetId = newId()
    await insertTestRows(tx, 'assets', [
      { ...file, ...stored, id: assetId, name: asset, media_type: 'image/png', unreferenced_since: null },
    ])
    const reference = { org_id: orgId, owner_kind: 'product', owner_id: product, asset_id: assetId }
    await insertTestRows(tx, 'asset_references', [reference])
    const image = { id: newId(), org_id: orgId, product_id: product, asset, file_name: 'a.png', size_bytes: 5 }
    await insertTestRows(tx, 'product_images', [
      { ...image, media_type: 'image/png' as const, sort_order: 0, created_at: now() },
    ])
    const sent = { conversation_id: values.conversation as string, file_id: assetId, org_id: orgId }
    await insertTestRows(tx, 'conversation_files', [
      { ...sent, file_name: 'a.png', media_type: 'image/png', size_bytes: 5 },
    ])
    const targets = Array.from({ length: 2 * count }, () => `object:${newId()}`)
    const target = { org_id: orgId, target_id: newId(), rule: null }
    await insertTestRows(
      tx,
      'scan_targets',
      targets.map((id) => ({ ...target, id })),
    )
    await insertTestRows(tx, 'answer_votes', [{ ...vote, message_id: newId(), group_id: null, is_counted: false }])
    await insertTestRows(tx, 'article_votes', [{ ...vote, id: newId(), article_id: newId(), language: 'en' }])
    const day = { org_id: orgId, target_id: values.code as string, day: '2026-06-09', scans: 5 }
    await insertTestRows(tx, 'imported_scan_days', [day])
    const view = { org_id: orgId, id: newId(), page_id: newId(), viewed_at: now() }
    await insertTestRows(tx, 'page_views', [view])
    const vector = { id: ++vectors, org_id: orgId, passage_id: null, content_hash: 'x', model: 'x', vector: 'AA==' }
    await insertTestRows(tx, 'passage_vectors', [vector])
    const unfinished = { id: newId(), org_id: orgId, statement: 'select ?', each_row: '[]' }
    await insertTestRows(tx, 'unfinished_writes', [unfinished])
    const lease = { org_id: orgId, holder: newId(), leased_until: now() }
    await tx.deleteFrom('delivery_leases').where('org_id', '=', orgId).execute()
    await insertTestRows(tx, 'delivery_leases', [lease])
  })
}

/** A database that fails after some transactions, as if the process had ended. */
function failingAfter(writes: number): Database {
  let left = writes
  const original = database()
  const write: Database['write'] = (work, orgId) => {
    if (left-- === 0) throw new Error('crashed')
    return original.write(work, orgId)
  }
  return new Proxy(original, { get: (target, name) => (name === 'write' ? write : Reflect.get(target, name)) })
}

test('every table with rows of organisations is erased', async () => {
  const erased = ERASED_TABLES.flatMap(({ table, children = {} }) => [table, ...Object.keys(children)])
  expect([...new Set([...erased, ...SEARCH_TABLES, ...LAST_TRANSACTION])].sort()).toEqual((await tenantTables()).sort())
})

/** The columns that refer to people and keep an account from being deleted. */
async function referencesToPeople(): Promise<string[]> {
  const references =
    harness.engine === 'sqlite'
      ? sql<{
          name: string
        }>`select m.name || '.' || f."from" as name from sqlite_master m, pragma_foreign_key_list(m.name) f
          where f."table" = 'users' and f.on_delete = 'NO ACTION'`
      : sql<{ name: string }>`select c.conrelid::regclass || '.' || a.attname as name from pg_constraint c
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
          where c.confrelid = 'users'::regclass and c.confdeltype = 'a'`
  return (await references.execute(database().kysely)).rows.map(({ name }) => name)
}

test('every reference to a person is known to `erasePerson`', async () => {
  const known = [
    'api_keys.created_by',
    'invitations.created_by',
    'invitations.invited_by',
    'members.user_id',
    'one_time_links.user_id',
    'sessions.user_id',
  ]
  expect((await referencesToPeople()).sort()).toEqual(known)
})

describe('erasing a person', () => {
  test('deletes their account, with everything that refers to it', async () => {
    const acme = await harness.createTenant()
    const kim = await harness.createPerson(acme, 'owner')
    await kim.post('/v1/team/invitations', { email: 'next@acme.com', role_id: getRole('member').id })
    await database().write((tx) => createLink(tx, 'reset_password', { userId: kim.userId }, now()))
    expect(await erasePerson(database(), acme.orgId, kim.userId)).toBe(true)
    expect(await findUser(database().read, kim.userId)).toBeUndefined()
    harness.advance(1000)
    expect((await kim.get('/v1/me')).status).toBe(401)
    expect((await acme.get('/v1/team/invitations')).body.data).toMatchObject([{ invited_by: null }])
  })

  test('keeps the account of a person who belongs to another organisation', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const kim = await harness.createPerson(acme, 'owner')
    await database().write((tx) => addMember(tx, other.orgId, kim.userId, 'member', now()))
    expect(await erasePerson(database(), acme.orgId, kim.userId)).toBe(false)
    expect((await kim.get('/v1/me')).status).toBe(200)
  })
})

describe('erasing an organisation', () => {
  test('happens 30 days after an owner asked for it, and nobody else gets its slug', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const owner = await harness.createPerson(acme, 'owner')
    await owner.post('/v1/organisation/request-deletion', { slug: acme.slug })
    const eraseAfter = (days: number) =>
      eraseDue(database(), store(), harness.nowMs() + days * DAY_MS, createLogger('silent'))
    await eraseAfter(29)
    expect((await acme.get('/v1/me')).status).toBe(200)
    await eraseAfter(31)
    harness.advance(1000)
    expect((await acme.get('/v1/me')).status).toBe(401)
    expect((await other.get('/v1/me')).status).toBe(200)
    expect((await other.patch('/v1/organisation', { slug: acme.slug })).status).toBe(409)
  })

  test('leaves no row and no file, whenever it was interrupted, and does not touch others', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    // More than one step deletes.
    await fillOrganisation(acme, 300)
    await fillOrganisation(other, 5)
    const [before, others] = [await countRows(acme.orgId), await countRows(other.orgId)]
    expect([...before].filter(([, count]) => count === 0)).toEqual([])
    const misspellings = async () =>
      Number(
        (await sql<{ n: number }>`select count(*) as n from article_search_misspellings`.execute(database().kysely))
          .rows[0]?.n,
      )
    const misspellingsBefore = await misspellings()
    // One of each organisation was uploaded, the other one is an image.
    expect(await readdir(join(harness.folder, 'assets'))).toHaveLength(4)

    let crashes = 0
    for (let writes = 0; ; writes += 4) {
      const outcome = await eraseOrganisation(failingAfter(writes), acme.orgId, store()).catch((error) => error.message)
      if (outcome === undefined) break
      expect(outcome).toBe('crashed')
      crashes++
    }
    expect(crashes).toBeGreaterThan(3)

    expect([...(await countRows(acme.orgId))].filter(([, count]) => count > 0)).toEqual([])
    expect(await countRows(other.orgId)).toEqual(others)
    expect(await readdir(join(harness.folder, 'assets'))).toHaveLength(2)
    // Both organisations had the same words.
    expect(await misspellings()).toBe(misspellingsBefore / 2)
    expect((await acme.get('/v1/me')).status).toBe(401)
    expect((await other.get('/v1/me')).status).toBe(200)
    await eraseOrganisation(database(), acme.orgId, store())
  })
})
