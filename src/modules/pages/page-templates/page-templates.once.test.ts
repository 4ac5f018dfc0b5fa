import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { checkResponse } from '../../../testing/check-response.ts'
import { useHarness } from '../../../testing/harness.ts'
import { PageTemplate, PageTemplateWithBlocks, TEMPLATE_IDS, TemplateName } from './contract.ts'

const harness = useHarness({ role: 'api' })

test('the list has every template, without blocks', async () => {
  const acme = await harness.createTenant()
  const { data, total } = (await acme.get('/v1/page-templates')).body
  expect(data.map(({ name }: any) => name)).toEqual(TemplateName.options)
  expect(total).toBe(6)
  for (const item of data) checkResponse(PageTemplate, item)
  expect((await acme.get('/v1/page-templates?page_size=4&page=2')).body.data).toEqual(data.slice(4))
})

describe.each(TemplateName.options)('%s', (name) => {
  test('becomes a page that speaks all languages', async () => {
    const acme = await harness.createTenant()
    const template = (await acme.get(`/v1/page-templates/${TEMPLATE_IDS[name]}`)).body
    checkResponse(PageTemplateWithBlocks, template)
    const { status, body } = await acme.post('/v1/pages', { title: 'My own title', template: name })
    expect(status).toBe(201)
    expect(body.title).toBe('My own title')
    expect(body.languages).toEqual(LANGUAGES)
    expect(Object.keys(body.translations).sort()).toEqual(LANGUAGES.filter((language) => language !== 'en').sort())
    expect(body.translations.de).toEqual({ title: template.title.de })
    const withoutIds = body.blocks.map(({ id: _, sort_order: __, ...block }: any) => block)
    expect(withoutIds).toEqual(template.blocks)
    expect(body.blocks.map(({ sort_order }: any) => sort_order)).toEqual([...body.blocks.keys()])
    expect((await acme.get(`/v1/pages/${body.id}`)).body).toEqual(body)
    // Its blocks pass the rules for blocks that are sent.
    const sent = await acme.put(`/v1/pages/${body.id}/blocks`, { blocks: template.blocks })
    expect(sent, sent.text).toMatchObject({ status: 200 })
  })
})

test('two pages of one template share no block', async () => {
  const acme = await harness.createTenant()
  const create = async () => (await acme.post('/v1/pages', { title: 'Report', template: 'fault-report' })).body
  const ids = [await create(), await create()].flatMap(({ blocks }) => blocks.map(({ id }: any) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

test('translations that are sent replace the titles of the template', async () => {
  const acme = await harness.createTenant()
  const body = { title: 'Melden', template: 'fault-report', default_language: 'de', translations: { en: {} } }
  expect((await acme.post('/v1/pages', body)).body.translations).toEqual({ en: {} })
})

test('an unknown template, and a template with blocks, are refused', async () => {
  const acme = await harness.createTenant()
  const refused = async (body: object) =>
    (await acme.post('/v1/pages', { title: 'Care', ...body })).body.details.fieldErrors
  expect(await refused({ template: 'survey' })).toEqual({
    template: [`Must be one of ${TemplateName.options.join(', ')}, not "survey"`],
  })
  expect(await refused({ template: 'feedback', blocks: [] })).toEqual({
    template: ['Must not be sent together with blocks'],
  })
})

test('in a default language that it lacks, a page begins with the texts of the nearest one, or has them in all others', async () => {
  const acme = await harness.createTenant()
  const start = async (default_language: string) =>
    (await acme.post('/v1/pages', { title: 'Mine', template: 'feedback', default_language })).body
  const [german, austrian, hebrew] = [await start('de'), await start('de-AT'), await start('he')]
  const labelOf = ({ blocks }: any) => blocks.find(({ type }: any) => type === 'form_submit').config.label
  const { de, ...others } = labelOf(german)
  expect(labelOf(austrian)).toEqual({ ...others, 'de-AT': de })
  expect(austrian.languages).toEqual([...LANGUAGES.filter((language) => language !== 'de'), 'de-AT'])
  expect(austrian.translations).toEqual(german.translations)
  expect(labelOf(hebrew)).toEqual({ ...others, de })
  expect(hebrew.languages).toEqual([...LANGUAGES, 'he'])
  expect(Object.keys(hebrew.translations).sort()).toEqual([...LANGUAGES].sort())
})
