import { expect, test } from 'vitest'
import { createCentre } from '../../../testing/data/help-centre.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

test('synonyms are replaced, read again, recorded, and find articles with the other words', async () => {
  const centre = await createCentre(harness)
  const { tenant } = centre
  const { id } = centre.base
  const path = `/v1/knowledge-bases/${id}/synonyms`
  expect((await tenant.get(path)).body).toEqual({
    object: 'knowledge_base_synonyms',
    knowledge_base_id: id,
    synonyms: [],
  })
  await centre.article({ title: 'Lost secondary device', slug: 'lost-device' })
  await centre.article({ title: 'Couches', slug: 'couches' })
  const find = async (q: string) => {
    const { body } = await tenant.get(`/v1/articles/search?q=${encodeURIComponent(q)}&knowledge_base_id=${id}`)
    return body.data.map(({ title }: { title: string }) => title)
  }
  await eventually(async () => (await find('couch')).length === 1 && (await find('secondary')).length === 1)
  expect(await find('sofas')).toEqual([])

  const synonyms = [
    ['Sofa', 'couch', 'settee'],
    ['phone', 'secondary device', 'スマホ'],
  ]
  const events = async () => (await tenant.get('/v1/events?limit=100')).body.data.length
  const before = await events()
  const { status, body } = await tenant.put(path, { synonyms })
  expect({ status, synonyms: body.synonyms }).toEqual({ status: 200, synonyms })
  expect((await tenant.get(path)).body.synonyms).toEqual(synonyms)
  expect(await events()).toBe(before)
  expect(await find('sofas')).toEqual(['Couches'])
  expect(await find('phone')).toEqual(['Lost secondary device'])
  expect(await find('スマホ')).toEqual(['Lost secondary device'])
  expect((await centre.read('/search?q=settee')).text).toContain('1 result for')
  const { text } = await centre.read('/search?q=settee+xyzzyplugh')
  expect(text).toContain('No article contains: xyzzyplugh')

  const { body: log } = await tenant.get('/v1/audit-log?limit=1')
  expect(log.data[0]).toMatchObject({
    action: 'knowledge_base.updated',
    changes: { synonyms: { from: [], to: synonyms } },
  })
  expect((await tenant.put(path, { synonyms: [] })).body.synonyms).toEqual([])
  expect(await find('sofas')).toEqual([])

  const stranger = await harness.createTenant()
  expect((await stranger.get(path)).status).toBe(404)
  expect((await stranger.put(path, { synonyms })).status).toBe(404)
})

test('groups of one word, too long groups and too many groups are refused', async () => {
  const tenant = await harness.createTenant()
  const { body } = await tenant.post('/v1/knowledge-bases', { name: 'Help' })
  const path = `/v1/knowledge-bases/${body.id}/synonyms`
  const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`)
  for (const synonyms of [
    [['sofa']],
    [words(21)],
    Array(501).fill(['a', 'b']),
    [['a', ' ']],
    [['a', 'b'.repeat(61)]],
  ]) {
    expect(await tenant.put(path, { synonyms })).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
  }
  const most = Array.from({ length: 500 }, (_, n) => words(20).map((word) => `${word} ${n}`))
  expect((await tenant.put(path, { synonyms: most })).status).toBe(200)
  // Deleting the knowledge base deletes them.
  expect((await tenant.delete(`/v1/knowledge-bases/${body.id}`)).status).toBe(204)
})
