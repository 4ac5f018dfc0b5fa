import { describe, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { createCategory, createKnowledgeBase } from '../../../testing/data/articles.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { addAssetReferences, setAssetReferences } from './index.ts'
import { newGif } from './testing/sample-files.ts'

const harness = useHarness({ config: { publicUrl: 'https://go.acme.com' } })

const upload = async (tenant: Tenant): Promise<any> => (await tenant.post('/v1/assets', newGif())).body
const isReferenced = async (tenant: Tenant, { id }: { id: string }): Promise<boolean> =>
  (await tenant.get(`/v1/assets/${id}`)).body.is_referenced
const show = (...assets: { url: string }[]) => assets.map(({ url }) => `Look: ![a door](${url} "דלת 🚪")`).join('\n\n')
const now = () => timestamp(harness.nowMs())
const write = <T>(work: Parameters<typeof harness.service.database.write<T>>[0]) => harness.service.database.write(work)

async function expectInUse(tenant: Tenant, asset: { id: string }): Promise<void> {
  expect(await isReferenced(tenant, asset)).toBe(true)
  const { status, body } = await tenant.delete(`/v1/assets/${asset.id}`)
  expect({ status, details: body.details }).toEqual({ status: 409, details: { reason: 'in_use' } })
}

describe('a file is in use', () => {
  test('while an article shows it, in any language or earlier version', async () => {
    const acme = await harness.createTenant()
    const knowledge_base_id = await createKnowledgeBase(acme)
    const [first, second, third] = [await upload(acme), await upload(acme), await upload(acme)]
    const { id } = (await acme.post('/v1/articles', { knowledge_base_id, title: 'Doors', content: show(first) })).body
    await expectInUse(acme, first)
    await acme.post(`/v1/articles/${id}/translations`, { language: 'de', title: 'Türen', content: show(second) })
    await acme.patch(`/v1/articles/${id}/translations/de`, { content: show(second, third) })
    await acme.patch(`/v1/articles/${id}`, { content: 'No picture.' })
    for (const asset of [first, second, third]) await expectInUse(acme, asset)
    await acme.post(`/v1/articles/${id}/versions/1/restore`)
    expect((await acme.get(`/v1/articles/${id}`)).body.content).toBe(show(first))
    await acme.delete(`/v1/articles/${id}`)
    for (const asset of [first, second, third]) {
      expect(await isReferenced(acme, asset)).toBe(false)
      expect((await acme.delete(`/v1/assets/${asset.id}`)).status).toBe(204)
    }
  })

  test('until the category of its article is deleted with its articles', async () => {
    const acme = await harness.createTenant()
    const category = await createCategory(acme, await createKnowledgeBase(acme))
    const asset = await upload(acme)
    const placed = { knowledge_base_id: category.knowledge_base_id, category_id: category.id }
    await acme.post('/v1/articles', { ...placed, title: 'Doors', content: show(asset) })
    await expectInUse(acme, asset)
    expect((await acme.delete(`/v1/article-categories/${category.id}?cascade=true`)).status).toBe(204)
    expect(await isReferenced(acme, asset)).toBe(false)
  })

  test('as the logo of a knowledge base and of the organisation, until there is another one', async () => {
    const acme = await harness.createTenant()
    const [first, second] = [await upload(acme), await upload(acme)]
    const base = (await acme.post('/v1/knowledge-bases', { name: 'Care', logo_url: first.url })).body.id
    await acme.patch('/v1/organisation', { logo_url: first.url })
    await expectInUse(acme, first)
    await acme.patch(`/v1/knowledge-bases/${base}`, { logo_url: second.url })
    await expectInUse(acme, first)
    await acme.patch('/v1/organisation', { logo_url: null })
    expect(await isReferenced(acme, first)).toBe(false)
    await expectInUse(acme, second)
    await acme.delete(`/v1/knowledge-bases/${base}`)
    expect(await isReferenced(acme, second)).toBe(false)
  })
})

test('the file of another organisation, or one that does not exist, is not referred to', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const [mine, theirs] = [await upload(acme), await upload(other)]
  const missing = { url: mine.url.replace(/-\w{8}\./, '-00000000.') }
  const knowledge_base_id = await createKnowledgeBase(acme)
  await acme.post('/v1/articles', { knowledge_base_id, title: 'Doors', content: show(theirs, missing, mine) })
  expect(await isReferenced(acme, mine)).toBe(true)
  expect(await isReferenced(other, theirs)).toBe(false)
  expect((await other.delete(`/v1/assets/${theirs.id}`)).status).toBe(204)
})

test('texts without files cost no statement', async () => {
  const acme = await harness.createTenant()
  const knowledge_base_id = await createKnowledgeBase(acme)
  const statements = await harness.statementsOf(async () => {
    const { id } = (await acme.post('/v1/articles', { knowledge_base_id, title: 'Doors', content: 'Text.' })).body
    await acme.patch(`/v1/articles/${id}`, { content: 'Other text.' })
    await acme.post(`/v1/articles/${id}/translations`, { language: 'de', title: 'Türen', content: 'Text.' })
    await acme.patch(`/v1/knowledge-bases/${knowledge_base_id}`, { logo_url: 'https://acme.com/logo.png' })
    await acme.patch('/v1/organisation', { logo_url: 'https://acme.com/logo.png' })
  })
  // The worker looks for expired files of all organisations, and for images that were not measured.
  const ofWorker = /unreferenced_since" <=|asset_removals|measured_at is null/
  const own = statements.filter(({ sql }) => /asset/.test(sql) && !ofWorker.test(sql))
  expect(own).toEqual([])
})

test('of a deletion and a reference at once, one fails or comes first, and no reference lacks its file', async () => {
  const acme = await harness.createTenant()
  const { orgId } = acme
  for (let round = 0; round < 15; round++) {
    const asset = await upload(acme)
    const owner = { kind: 'page', id: newId() }
    const [existing, deletion] = await Promise.all([
      write((tx) => addAssetReferences(tx, orgId, owner, [asset.id])),
      acme.delete(`/v1/assets/${asset.id}`),
    ])
    expect({ isReferenced: existing.has(asset.id), deletion: deletion.status }).toEqual(
      existing.has(asset.id) ? { isReferenced: true, deletion: 409 } : { isReferenced: false, deletion: 204 },
    )
  }
})

test('owners that take and drop the same file at once leave it in use exactly if one of them uses it', async () => {
  const acme = await harness.createTenant()
  const { orgId } = acme
  const asset = await upload(acme)
  const owners = Array.from({ length: 6 }, () => ({ kind: 'page', id: newId() }))
  const set = (owner: { kind: string; id: string }, uses: boolean) =>
    eventually(async () => {
      try {
        await write((tx) => setAssetReferences(tx, orgId, owner, uses ? [asset.url] : [], now()))
        return true
      } catch {
        // A busy database refuses some, which can be repeated.
        return false
      }
    })
  for (let round = 0; round < 10; round++) {
    const uses = owners.map((_, n) => (n + round) % 6 === 0 && round % 3 !== 0)
    await Promise.all(owners.map((owner) => set(owner, true)))
    await Promise.all(owners.map((owner, n) => set(owner, uses[n] as boolean)))
    expect(await isReferenced(acme, asset)).toBe(uses.includes(true))
  }
})
