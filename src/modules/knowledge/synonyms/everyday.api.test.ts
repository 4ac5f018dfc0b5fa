import { beforeAll, describe, expect, test } from 'vitest'
import { createCentre, type TestCentre } from '../../../testing/data/help-centre.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

let centre: TestCentre
const find = async (q: string, more = '', { tenant, base }: TestCentre = centre): Promise<string[]> => {
  const query = `q=${encodeURIComponent(q)}&knowledge_base_id=${base.id}${more}`
  const { body } = await tenant.get(`/v1/articles/search?${query}`)
  const scores = body.data.map(({ score }: { score: number }) => score)
  expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
  return body.data.map(({ title }: { title: string }) => title)
}
const settle = async ({ tenant }: TestCentre) =>
  eventually(async () => (await tenant.get('/v1/articles?page_size=100')).body.data.every(isIndexed))
const isIndexed = ({ indexing_status }: { indexing_status: string }) => indexing_status === 'indexed'
const switchEveryday = ({ tenant, base }: TestCentre, everyday_synonyms: boolean) =>
  tenant.patch(`/v1/knowledge-bases/${base.id}`, { everyday_synonyms })

const ARTICLES: [title: string, content: string][] = [
  ['Autofill on iOS', 'Open Settings and choose the vault.'],
  ['Autofill on Android', 'Open Settings and choose the vault.'],
  ['Biometrics', 'Open the vault with your face or thumb.'],
  ['Renewal of the plan', 'It renews every year until you turn that off.'],
  ['Order a sticker', 'We print it.'],
  ['Two-step verification', 'Scan the code.'],
]

beforeAll(async () => {
  centre = await createCentre(harness)
  for (const [title, content] of ARTICLES) await centre.article({ title, content })
  const german = await centre.article({ title: 'Deleting an account', content: 'It is gone.' })
  await centre.translate(german.id, 'de', 'Kennwort zurücksetzen', 'Einen neuen Zugang anfordern.')
  await settle(centre)
})

describe('everyday words', () => {
  test.each([
    ['auto fill iphone', 'Autofill on iOS'],
    ['autofill ipad', 'Autofill on iOS'],
    ['fingerprint unlock', 'Biometrics'],
    ['face id', 'Biometrics'],
    ['cancel subscription', 'Renewal of the plan'],
    ['2fa', 'Two-step verification'],
    ['close my profile', 'Deleting an account'],
  ])('%j finds %j first', async (q, title) => {
    expect((await find(q))[0]).toBe(title)
  })

  test('are those of the language of the text', async () => {
    expect(await find('Passwort vergessen')).toEqual(['Kennwort zurücksetzen'])
    expect(await find('passphrase')).toEqual([])
  })

  test('are no missing words', async () => {
    const { body } = await centre.tenant.get(
      `/v1/articles/search?q=fingerprint+camera&knowledge_base_id=${centre.base.id}`,
    )
    expect(body.data).toMatchObject([{ title: 'Biometrics', missing_words: ['camera'] }])
  })
})

test('an article with the words as they were typed comes before articles with synonyms, wherever the words are', async () => {
  const shop = await createCentre(harness)
  await shop.article({ title: 'Remove, remove, remove', content: 'Remove it. '.repeat(20) })
  await shop.article({ title: 'Erase', content: '## Erase\n\nErase it.' })
  await shop.article({ title: 'Notes', content: `${'Some other words. '.repeat(200)} You can delete it.` })
  await settle(shop)
  expect((await find('delete', '', shop))[0]).toBe('Notes')
  expect(new Set(await find('delete', '', shop))).toEqual(new Set(['Notes', 'Remove, remove, remove', 'Erase']))
  expect((await find('delete', '&page_size=1&page=2', shop))[0]).not.toBe('Notes')
})

test('synonyms of the knowledge base are used beside them', async () => {
  const { tenant, base } = centre
  const path = `/v1/knowledge-bases/${base.id}/synonyms`
  await tenant.put(path, { synonyms: [['label', 'sticker']] })
  expect(await find('label')).toEqual(['Order a sticker'])
  expect(await find('fingerprint label')).toEqual(expect.arrayContaining(['Order a sticker', 'Biometrics']))
  await tenant.put(path, { synonyms: [] })
})

test('are turned off for one knowledge base, with the next search and on its pages', async () => {
  const other = await createCentre(harness, {}, centre.tenant)
  await other.article({ title: 'Biometric locks' })
  await settle(other)
  const shown = async () => (await centre.read('/search?q=fingerprint')).text.includes('Biometrics')
  expect([await find('fingerprint'), await shown()]).toEqual([['Biometrics'], true])

  const { status, body } = await switchEveryday(centre, false)
  expect({ status, body }).toMatchObject({ status: 200, body: { everyday_synonyms: false } })
  expect([await find('fingerprint'), await shown()]).toEqual([[], false])
  expect(await find('fingerprint', '', other)).toEqual(['Biometric locks'])
  const { body: log } = await centre.tenant.get('/v1/audit-log?limit=1')
  expect(log.data[0].changes).toEqual({ everyday_synonyms: { from: true, to: false } })

  await switchEveryday(centre, true)
  expect([await find('fingerprint'), await shown()]).toEqual([['Biometrics'], true])
})
