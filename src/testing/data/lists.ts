import { expect } from 'vitest'
import { setBalance } from '../../modules/account/credits/index.ts'
import { storeScans } from '../../modules/codes/scans/index.ts'
import { toRecordedScan } from '../../modules/codes/scans/testing/stored-scan.ts'
import { timestamp } from '../../platform/clock/index.ts'
import type { Tables } from '../../platform/db/index.ts'
import { newId, type OrgId } from '../../platform/ids/index.ts'
import type { Client } from '../client.ts'
import { insertTestRows } from '../engines/insert-test-rows.ts'
import type { Harness, Tenant } from '../harness.ts'
import { createAccessToken } from './access-token.ts'
import { copyConversations } from './conversations.ts'
import { createCentre } from './help-centre.ts'
import { addJobItems, createJobs } from './jobs.ts'
import { fillQuestions } from './questions.ts'
import { receive } from './submissions.ts'

/** Who reads lists, and the ids and values in their paths. */
export interface ListOwner {
  client: Client
  orgId: OrgId
  values: Record<string, string>
}

/** The columns that lists filter by. All rows of an owner have the same values. */
interface Filtered {
  type: string
  article_status: string
  is_published: string
  event: string
}

/** An organisation may have 1,000, and lists are filled several times. */
const MEMBERS_MAX = 300
const LINKS_MAX = 100

/** Creates a resource of every family, and `count` rows in every list that can be long. */
export async function fillLists(harness: Harness, tenant: Tenant, count: number, same: Filtered): Promise<ListOwner> {
  const { orgId } = tenant
  const { database } = harness.service
  const create = async (path: string, body: object): Promise<string> => {
    const reply = await tenant.post(`/v1/${path}`, body)
    expect(reply, reply.text).toMatchObject({ status: 201 })
    return reply.body.id
  }
  const replace = async (path: string, body: object) =>
    expect(await tenant.put(`/v1/${path}`, body)).toMatchObject({ status: 200 })
  /** Inserts copies of a row. Through the API thousands would take minutes. */
  const copy = (table: keyof Tables, id: string, unique: string[] = []) =>
    database.write(async (tx) => {
      // Kysely cannot check statements on a table that is known only at run time.
      const rows = tx.selectFrom(table as 'qr_codes').selectAll()
      const row = await rows.where('org_id', '=', orgId).where('id', '=', id).executeTakeFirstOrThrow()
      const others = (columns: string[]) => Object.fromEntries(columns.map((column) => [column, newId()]))
      const slug = () => (row.public_slug === undefined ? {} : { public_slug: nextSlug(row.public_slug.length) })
      const copies = Array.from({ length: count }, () => ({ ...row, ...others(['id', ...unique]), ...slug() }))
      await insertTestRows(tx, table as 'qr_codes', copies)
    })

  const webhook = (await harness.subscribe(tenant, [same.event], { isActive: false })).id
  const group = await create('qr-groups', { name: 'Fair' })
  await copy('qr_groups', group)
  const object = await create('objects', { name: 'Chair', type: same.type })
  await copy('objects', object)
  const belonging = { name: 'Chair', group_id: group, object_id: object }
  const [code, inactive, archived] = [
    await create('qr-codes', { ...belonging, status: 'active' }),
    await create('qr-codes', { ...belonging, status: 'inactive' }),
    await create('qr-codes', { ...belonging, status: 'archived' }),
  ]
  for (const id of [code, inactive, archived]) await copy('qr_codes', id)
  const product = await create('products', { name: 'Oil' })
  const link = (n: number) => ({ link_type: 'gs1:pip', url: `https://acme.com/oil/${n}`, title: 'Oil' })
  await replace(`products/${product}/links`, {
    links: Array.from({ length: Math.min(count, LINKS_MAX) }, (_, n) => link(n)),
  })
  for (const id of [product, await create('products', { name: 'Oil', status: 'archived' })]) await copy('products', id)
  const owners = { 'qr-codes': code, 'qr-groups': group, objects: object, products: product }
  for (const [path, id] of Object.entries(owners)) {
    await replace(`${path}/${id}/rules`, {
      rules: [{ id: 'all', name: 'All', when: {}, then: { destination: { url: 'https://acme.com/' } } }],
    })
    await copyVersions(harness, orgId, id, count)
  }
  await copy('api_keys', tenant.keyId, ['hash'])
  // Creates the owner, who reads the list of keys.
  await tenant.get('/v1/api-keys')
  const owner = (await tenant.get('/v1/team/members')).body.data[0].user_id as string
  const { grantId } = await createAccessToken(database, { orgId, userId: owner }, ['qr.view'], harness.nowMs())
  await copy('oauth_grants', grantId)
  await copyPeople(harness, tenant, Math.min(count, MEMBERS_MAX))
  const domain = await create('custom-domains', { domain: `${newId()}.acme.com` })
  await copy('custom_domains', domain, ['domain'])

  const centre = await createCentre(harness, { is_published: same.is_published === 'true' }, tenant)
  const base = centre.base.id
  await copy('knowledge_bases', base, ['slug'])
  const { id: category } = await centre.category({ slug: newId() })
  const { id: inner } = await centre.category({ slug: newId(), parent_id: category })
  for (const id of [category, inner]) await centre.multiplyCategory(id, count)
  const { id: related } = await centre.article({ slug: newId() })
  const { id: article } = await centre.article({ slug: newId(), category_id: category, status: same.article_status })
  await centre.multiplyArticle(article, count)
  await centre.translate(article, 'de', 'Eichentisch')
  await replace(`articles/${article}/relations`, { related_article_ids: [related] })
  const tag = await create('article-tags', { name: newId() })
  await copy('article_tags', tag, ['name_folded'])
  await replace(`articles/${article}/tags`, { tag_ids: [tag] })
  const route = await create('custom-domain-routes', { domain_id: domain, slug: 'help', type: 'kb', kb_id: base })
  await copy('custom_domain_routes', route, ['slug'])

  const gif = Buffer.from(`GIF89a\x01\0\x01\0\x80\0\0\0\0\0;${newId()}`, 'latin1')
  const asset = (await tenant.post('/v1/assets', gif)).body.id
  await copy('assets', asset, ['name', 'hash'])
  await copyPages(harness, orgId, count, await create('pages', { title: 'Help', status: 'active' }))
  await copyPages(harness, orgId, count, await create('pages', { title: 'Help', status: 'archived' }))

  const chatbot = await create('chatbots', { name: 'Help' })
  await fillQuestions(harness, orgId, count, { chatbot, base })
  for (const status of ['active', 'archived'])
    await copyChatbots(harness, orgId, count, await create('chatbots', { name: 'Support', status }))

  const conversation = await copyConversations(harness, tenant, count, { chatbot, assignee: owner })
  const conversationTag = await create('conversation-tags', { name: newId() })
  await copy('conversation_tags', conversationTag, ['name_folded'])
  await replace(`conversations/${conversation}/tags`, { tag_ids: [conversationTag] })

  const form = await create('pages', { title: 'Report a fault', status: 'active' })
  const things = { code, object, product }
  const submission = await copySubmissions(harness, tenant, count, { form, assignee: owner, ...things })

  const now = timestamp(harness.nowMs())
  const targets = Object.entries({ qr_code: code, object, product }) as ['qr_code' | 'object' | 'product', string][]
  const scans = targets.flatMap(([target_kind, target_id]) =>
    Array.from({ length: count }, () => toRecordedScan(orgId, { target_kind, target_id, scanned_at: now })),
  )
  await storeScans(database, scans, now)
  // A trigger creates a delivery for each.
  await copy('events', (await tenant.get(`/v1/events?type=${same.event}`)).body.data[0].id)

  await database.write((tx) => setBalance(tx, orgId, 1000, now))
  await database.write((tx) => {
    const reason = 'answer' as const
    const entry = { org_id: orgId, amount: 0, balance: 1000, reason, message_id: null, created_at: now }
    return insertTestRows(
      tx,
      'credit_entries',
      Array.from({ length: count }, () => ({ ...entry, id: newId() })),
    )
  })

  const [job = ''] = await createJobs(harness, orgId, count)
  await addJobItems(harness, orgId, job, count)

  const audited = { action: same.event, actor: newId() }
  await copyAuditEntries(harness, orgId, count, audited)

  return {
    client: tenant,
    orgId,
    values: {
      ...same,
      ...audited,
      webhook,
      group,
      code,
      object,
      product,
      base,
      domain,
      job,
      category,
      article,
      chatbot,
      conversation,
      form,
      submission,
      assignee: owner,
    },
  }
}

/** Gives an owner more versions than it keeps. */
async function copyVersions({ service }: Harness, orgId: OrgId, ownerId: string, count: number): Promise<void> {
  await service.database.write(async (tx) => {
    const versions = tx.selectFrom('target_versions').selectAll().where('org_id', '=', orgId)
    const row = await versions
      .where('owner_id', '=', ownerId)
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const copies = Array.from({ length: count }, (_, n) => ({ ...row, id: newId(), version: row.version + n + 1 }))
    await insertTestRows(tx, 'target_versions', copies)
  })
}

/** Creates submissions of a page, some for each filter. Returns the id of one with much activity. */
async function copySubmissions(
  harness: Harness,
  tenant: Tenant,
  count: number,
  values: Record<'form' | 'assignee' | 'code' | 'object' | 'product', string>,
): Promise<string> {
  const { id } = await receive(harness, tenant, values.form, {})
  await harness.service.database.write(async (tx) => {
    const rows = tx.selectFrom('submissions').selectAll().where('org_id', '=', tenant.orgId)
    const row = await rows.where('id', '=', id).executeTakeFirstOrThrow()
    const variants = [
      {},
      { status: 'resolved' as const },
      { priority: 'high' as const },
      { flagged: true },
      { assignee_id: values.assignee },
      { qr_code_id: values.code },
      { object_id: values.object },
      { product_id: values.product },
    ]
    const copies = Array.from({ length: count }, (_, n) => ({
      ...{ ...row, ...variants[n % variants.length] },
      id: newId(),
      number: n + 2,
    }))
    await insertTestRows(tx, 'submissions', copies)
    const { org_id, created_at } = row
    const flagged = {
      org_id,
      submission_id: id,
      type: 'flagged' as const,
      actor_id: null,
      from_value: null,
      to_value: null,
    }
    await insertTestRows(
      tx,
      'submission_events',
      Array.from({ length: count }, () => ({ ...flagged, id: newId(), created_at })),
    )
    const reply = { org_id, submission_id: id, author_id: null, text: 'We are working on it.', mailed: false }
    await insertTestRows(
      tx,
      'submission_replies',
      Array.from({ length: count }, () => ({ ...reply, id: newId(), created_at })),
    )
  })
  return id
}

/** Creates copies of a page, with their counters. */
async function copyPages(harness: Harness, orgId: OrgId, count: number, id: string): Promise<void> {
  await harness.service.database.write(async (tx) => {
    const pages = tx.selectFrom('pages').selectAll().where('org_id', '=', orgId)
    const page = await pages.where('id', '=', id).executeTakeFirstOrThrow()
    const copyOf = () => ({ ...page, id: newId(), slug: newId(), public_slug: nextSlug(page.public_slug.length) })
    const copies = Array.from({ length: count }, copyOf)
    await insertTestRows(tx, 'pages', copies)
    const counters = copies.map((copy) => ({ page_id: copy.id, org_id: orgId, view_count: 7, submission_count: 0 }))
    await insertTestRows(tx, 'page_counters', counters)
  })
}

/** Creates copies of a chatbot, with their counters. */
async function copyChatbots(harness: Harness, orgId: OrgId, count: number, id: string): Promise<void> {
  await harness.service.database.write(async (tx) => {
    const chatbots = tx.selectFrom('chatbots').selectAll().where('org_id', '=', orgId)
    const chatbot = await chatbots.where('id', '=', id).executeTakeFirstOrThrow()
    const copyOf = () => ({ ...chatbot, id: newId(), slug: newId(), public_slug: nextSlug(chatbot.public_slug.length) })
    const copies = Array.from({ length: count }, copyOf)
    await insertTestRows(tx, 'chatbots', copies)
    const counters = { org_id: orgId, conversation_count: 0, last_active_at: null, load_noticed_at: null }
    await insertTestRows(
      tx,
      'chatbot_counters',
      copies.map((copy) => ({ ...counters, chatbot_id: copy.id })),
    )
  })
}

/** Creates entries of the audit log. */
async function copyAuditEntries(
  harness: Harness,
  orgId: OrgId,
  count: number,
  { action, actor }: { action: string; actor: string },
): Promise<void> {
  await harness.service.database.write(async (tx) => {
    const entries = tx.selectFrom('audit_log').selectAll().where('org_id', '=', orgId)
    const entry = await entries.where('action', '=', action).executeTakeFirstOrThrow()
    const copies = Array.from({ length: count }, () => ({ ...entry, id: newId(), actor_id: actor }))
    await insertTestRows(tx, 'audit_log', copies)
  })
}

/** Creates members, with rows that the API would take minutes for. */
async function copyPeople(harness: Harness, { orgId }: Tenant, count: number): Promise<void> {
  const { userId } = await harness.createPerson({ orgId }, 'member')
  await harness.service.database.write(async (tx) => {
    const user = await tx.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
    const users = Array.from({ length: count }, () => ({ ...user, id: newId(), email_folded: newId() }))
    await insertTestRows(tx, 'users', users)
    const joined = { org_id: orgId, role: 'member' as const, joined_at: user.created_at, updated_at: user.created_at }
    const members = users.map(({ id }) => ({ ...joined, id: newId(), user_id: id }))
    await insertTestRows(tx, 'members', members)
  })
}

let slugs = 0

/** Has only characters that every kind of public slug may have. */
const nextSlug = (length: number): string =>
  (++slugs)
    .toString(8)
    .replace(/./g, (digit) => String(Number(digit) + 2))
    .padStart(length, 'A')
