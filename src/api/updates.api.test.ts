/** What every PATCH promises: each field of its contract reaches the stored resource, and null clears it. */
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Operation } from '../platform/contract/operation.ts'
import { createKnowledgeBase } from '../testing/data/articles.ts'
import { type Tenant, useHarness } from '../testing/harness.ts'
import { allOperations, ownBody, pathTo, resourceFamilies } from '../testing/operations.ts'

const harness = useHarness()

type Resource = Record<string, unknown>

const createdId = async (tenant: Tenant, path: string, body: object): Promise<string> =>
  (await tenant.post(path, body)).body.id

/** Fields that refer to another resource need one of the same organisation and knowledge base. */
const REFERENCES: Record<string, (tenant: Tenant, resource: Resource) => Promise<string>> = {
  group_id: (tenant) => createdId(tenant, '/v1/qr-groups', { name: 'Another group' }),
  knowledge_base_id: (tenant) => createKnowledgeBase(tenant),
  category_id: createCategory,
  parent_id: createCategory,
}

let categories = 0

function createCategory(tenant: Tenant, { knowledge_base_id }: Resource): Promise<string> {
  const body = { name: 'Another category', slug: `another-category-${++categories}`, knowledge_base_id }
  return createdId(tenant, '/v1/article-categories', body)
}

/** Valid for one kind of field each. The first that the schema of a field accepts, and that is new, is used. */
const CANDIDATES = [
  ...[true, false, 'https://acme.com/changed', 'changed', '#123456', '4006381333931', 'de', 7],
  ...[
    { url: 'https://acme.com/changed' },
    { changed: true },
    ['qr_code.deleted'],
    'inactive',
    'unpublished',
    'internal',
  ],
  ...['star', 'unconfigured'],
]

async function anotherValue(tenant: Tenant, name: string, schema: z.ZodType, resource: Resource): Promise<unknown> {
  const reference = REFERENCES[name]
  if (reference !== undefined) return reference(tenant, resource)
  const value = CANDIDATES.find((one) => schema.safeParse(one).success && !isShown(resource, name, one))
  if (value === undefined) throw new Error(`no candidate fits ${name}: add one`)
  return value
}

/** How the API shows a field that is stored in another form than it was sent, or under another name. */
const SHOWN: Record<string, (resource: Resource) => unknown> = {
  is_active: (resource) => resource.is_active ?? resource.isActive,
  gtin: ({ gtin }) => (gtin === null ? null : String(gtin).replace(/^0/, '')),
}

const shown = (resource: Resource, name: string): unknown => (SHOWN[name] ?? (() => resource[name]))(resource)

function isShown(resource: Resource, name: string, value: unknown): boolean {
  try {
    expectShown(resource, name, value)
    return true
  } catch {
    return false
  }
}

function expectShown(resource: Resource, name: string, value: unknown): void {
  const found = shown(resource, name)
  if (typeof value === 'object' && value !== null) expect(found, name).toMatchObject(value)
  else expect(found, name).toEqual(value)
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
  const family = resourceFamilies.find(({ update }) => update?.id === operation.id)
  if (family === undefined) throw new Error(`${operation.id} updates something that no test creates`)
  const { body } = await tenant.post(pathTo(family.create), await ownBody(tenant, family.create))
  return pathTo(operation, { id: body.id })
}

const updates = allOperations.filter(({ declared }) => declared.method === 'PATCH')

describe.each(updates.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  const fields = Object.entries(operation.declared.body?.shape ?? {}) as [string, z.ZodType][]

  test.each(fields)('stores %s, and null clears it if it may be null', async (name, schema) => {
    const tenant = await harness.createTenant()
    const path = await createTarget(tenant, operation)
    const before = (await tenant.get(path)).body
    const value = await anotherValue(tenant, name, schema, before)

    const changed = await tenant.patch(path, { [name]: value })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    const after = (await tenant.get(path)).body
    expectShown(after, name, value)
    expect(changed.body).toEqual(after)

    const cleared = await tenant.patch(path, { [name]: null })
    if (schema.safeParse(null).success) {
      expect(cleared.status).toBe(200)
      expect(isCleared(shown((await tenant.get(path)).body, name)), name).toBe(true)
    } else {
      expect(cleared.body.error).toBe('invalid_payload')
      expect((await tenant.get(path)).body).toEqual(after)
    }
  })
})
