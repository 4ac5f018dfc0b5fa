import { expect, test } from 'vitest'
import { publishArticle } from '../../../testing/data/published-article.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

test('texts in any language are found, in that language only if it is asked for', async () => {
  const acme = await harness.createTenant()
  const brazilian = await publishArticle(acme, 'Limpar a geladeira', 'Desligue antes.', { language: 'pt-br' })
  const filipino = await publishArticle(acme, 'Linisin', 'Hugasan ang pinto.', { language: 'fil' })
  const austrian = await publishArticle(acme, 'Kästen', 'Die Türen ölen.', { language: 'de-AT' })
  const find = async (query: string) => {
    const { status, body } = await acme.get(`/v1/articles/search?q=${encodeURIComponent(query)}`)
    expect(status).toBe(200)
    return body.data.map((hit: { article_id: string; language: string }) => [hit.article_id, hit.language])
  }
  const findIn = async (q: string, language: string) =>
    (await acme.get(`/v1/articles/search?q=${q}&language=${language}`)).body.data.length
  expect(await find('geladeira')).toEqual([[brazilian, 'pt-BR']])
  expect(await find('pinto')).toEqual([[filipino, 'fil']])
  // These follow the rules for German.
  expect(await find('Tür')).toEqual([[austrian, 'de-AT']])
  expect([await findIn('geladeira', 'PT-br'), await findIn('geladeira', 'pt')]).toEqual([1, 0])
  // A word of `fi` cannot continue the tag of `fil`.
  expect(await findIn('lpinto', 'fi')).toBe(0)
  expect((await acme.get('/v1/articles?language=fil')).body.data).toMatchObject([{ id: filipino }])
  const path = `/v1/articles/${filipino}/translations`
  const added = await acme.post(path, { language: 'zh-hant', title: '清潔', content: '' })
  expect(added.body).toMatchObject({ language: 'zh-Hant' })
  expect((await acme.get(`${path}/ZH-Hant`)).body).toEqual(added.body)
  expect((await acme.get(`${path}/chinese`)).body.error).toBe('invalid_id')
  const again = await acme.post(path, { language: 'zh-Hant', title: '清潔', content: '' })
  expect(again.body).toMatchObject({ error: 'conflict', details: { field: 'language' } })
})
