/** Tests the guarantee of every PATCH: it stores each field of its contract, and null clears a nullable field. */
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { getRole } from '../modules/account/roles/index.ts'
import type { Operation } from '../platform/contract/operation.ts'
import { createKnowledgeBase } from '../testing/data/articles.ts'
import { createConversation } from '../testing/data/conversations.ts'
import { createForm, receive } from '../testing/data/submissions.ts'
import { type Tenant, useHarness } from '../testing/harness.ts'
import { allOperations, ownBody, pathTo, resourceFamilies } from '../testing/operations.ts'

const harness = useHarness()

type Resource = Record<string, unknown>

const createdId = async (tenant: Tenant, path: string, body: object): Promise<string> =>
  (await tenant.post(path, body)).body.id

/** Creates the resource that a field refers to. It must be in the same organisation and knowledge base. */
const REFERENCES: Record<string, (tenant: Tenant, resource: Resource) => Promise<unknown>> = {
  group_id: (tenant) => createdId(tenant, '/v1/qr-groups', { name: 'Another group' }),
  object_id: (tenant) => createdId(tenant, '/v1/objects', { type: 'chair' }),
  knowledge_base_id: (tenant) => createKnowledgeBase(tenant),
  category_id: createCategory,
  parent_id: createCategory,
  role_id: async () => getRole('agent').id,
  assignee_id: async (tenant) => (await harness.createPerson(tenant, 'agent')).userId,
  assigned_to: async (tenant) => (await harness.createPerson(tenant, 'agent')).userId,
  model: async () => 'embedded',
  page_ids: async (tenant) => [await createdId(tenant, '/v1/pages', { title: 'Another page' })],
  knowledge_base_ids: async (tenant) => [await createKnowledgeBase(tenant)],
  category_ids: async (tenant) => [await createCategory(tenant, await ownBase(tenant))],
  article_ids: async (tenant) => [await createArticle(tenant)],
  destination_article_id: (tenant) => createArticle(tenant),
  notify_user_ids: async (tenant) => [(await harness.createPerson(tenant, 'member')).userId],
}

const ownBase = async (tenant: Tenant) => ({ knowledge_base_id: await createKnowledgeBase(tenant) })

const createArticle = async (tenant: Tenant): Promise<string> =>
  createdId(tenant, '/v1/articles', { ...(await ownBase(tenant)), title: 'Another article' })

let categories = 0

function createCategory(tenant: Tenant, { knowledge_base_id }: Resource): Promise<string> {
  const body = { name: 'Another category', slug: `another-category-${++categories}`, knowledge_base_id }
  return createdId(tenant, '/v1/article-categories', body)
}

/** Values for each kind of field. Tests use the first one that the field's schema accepts and that changes it. */
const CANDIDATES = [
  ...[true, false, 'https://acme.com/changed', 'changed', '#123456', '4006381333931', 'de', 'Europe/Berlin', 7],
  ...[
    { url: 'https://acme.com/changed' },
    { changed: true },
    ['qr_code.deleted'],
    ['qr_code.created'],
    'inactive',
    'unpublished',
    'internal',
  ],
  ...['star', 'unconfigured', 'always', 'in_progress', 'high', 'paused', 'friendly'],
  { type: 'color', value: '#123456', animated: false },
  { color: '#123456' },
  { primary_color: '#123456' },
  { de: { title: 'changed' } },
  { de: { name: 'changed', description: null } },
  { de: { welcome_message: 'changed', welcome_subtitle: null, suggestions: null, away_message: null } },
  'resolved',
  '8004/9506000CHANGED',
  'changed@acme.com',
  [{ key: 'changed', value: 'changed' }],
  { enabled: true },
  { time_zone: 'Europe/Berlin', days: { monday: [{ from: '09:00', to: '17:00' }] } },
  307,
]

async function anotherValue(tenant: Tenant, name: string, schema: z.ZodType, resource: Resource): Promise<unknown> {
  const reference = REFERENCES[name]
  if (reference !== undefined) return reference(tenant, resource)
  const value = CANDIDATES.find(
    (candidate) => schema.safeParse(candidate).success && !hasValue(resource, name, candidate),
  )
  if (value === undefined) throw new Error(`No value in CANDIDATES fits ${name}. Add one.`)
  return value
}

/** Read the fields that the API returns in a different format or under a different name than they were sent. */
const READERS: Record<string, (resource: Resource) => unknown> = {
  is_active: (resource) => resource.is_active ?? resource.isActive,
  // Never returned. The first of CANDIDATES that is a text.
  password: ({ password_protected }) => (password_protected ? 'https://acme.com/changed' : null),
  gtin: ({ gtin }) => (gtin === null ? null : String(gtin).replace(/^0/, '')),
}

const readField = (resource: Resource, name: string): unknown => (READERS[name] ?? (() => resource[name]))(resource)

function hasValue(resource: Resource, name: string, value: unknown): boolean {
  try {
    expectValue(resource, name, value)
    return true
  } catch {
    return false
  }
}

function expectValue(resource: Resource, name: string, value: unknown): void {
  const actual = readField(resource, name)
  if (typeof value === 'object' && value !== null) expect(actual, name).toMatchObject(value)
  else expect(actual, name).toEqual(value)
}

/** Lists that the API returns under a path of their own. */
const LISTS: Record<string, string> = { properties: 'properties', url_params: 'url-params' }

async function readResource(tenant: Tenant, path: string, name: string): Promise<Resource> {
  const { body } = await tenant.get(path)
  if (LISTS[name] === undefined) return body
  const { data } = (await tenant.get(`${path}/${LISTS[name]}`)).body
  return { ...body, [name]: data.map(({ key, value }: { key: string; value: string }) => ({ key, value })) }
}

const isCleared = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.values(value).every((part) => part === null))

/** Creates a resource that the operation updates, and returns its path. */
async function createTarget(tenant: Tenant, operation: Operation): Promise<string> {
  if (operation.id === 'article-translations.update') {
    const knowledge_base_id = await createKnowledgeBase(tenant)
    const id = await createdId(tenant, '/v1/articles', { knowledge_base_id, title: 'Oiling', content: 'Twice a year.' })
    await tenant.post(`/v1/articles/${id}/translations`, { language: 'de', title: 'Ölen', content: 'Zweimal im Jahr.' })
    return `/v1/articles/${id}/translations/de`
  }
  if (operation.id === 'conversations.update') {
    return (await createConversation(harness, tenant, { status: 'open' })).path
  }
  if (operation.id === 'organisation.update') return pathTo(operation)
  if (operation.id === 'submissions.update') {
    return pathTo(operation, { id: (await receive(harness, tenant, (await createForm(tenant)).id)).id })
  }
  if (operation.id === 'members.update') {
    return pathTo(operation, { id: (await harness.createPerson(tenant, 'member')).memberId })
  }
  const family = resourceFamilies.find(({ update }) => update?.id === operation.id)
  if (family === undefined) throw new Error(`createTarget cannot create a resource for ${operation.id}. Add it there.`)
  const { body } = await tenant.post(pathTo(family.create), await ownBody(tenant, family.create))
  return pathTo(operation, { id: body.id })
}

const updates = allOperations.filter(({ declared }) => declared.method === 'PATCH')

describe.each(updates.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  const fields = Object.entries(operation.declared.body?.shape ?? {}) as [string, z.ZodType][]

  test.each(fields)('stores %s, and null clears it if it is nullable', async (name, schema) => {
    const tenant = await harness.createTenant()
    const path = await createTarget(tenant, operation)
    const value = await anotherValue(tenant, name, schema, await readResource(tenant, path, name))

    const changed = await tenant.patch(path, { [name]: value })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    const after = await readResource(tenant, path, name)
    expectValue(after, name, value)
    expect(changed.body).toEqual((await tenant.get(path)).body)

    const cleared = await tenant.patch(path, { [name]: null })
    if (schema.safeParse(null).success) {
      expect(cleared.status).toBe(200)
      expect(isCleared(readField((await tenant.get(path)).body, name)), name).toBe(true)
    } else {
      expect(cleared.body.error).toBe('invalid_payload')
      expect(await readResource(tenant, path, name)).toEqual(after)
    }
  })
})
