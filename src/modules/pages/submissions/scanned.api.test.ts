import { expect, test } from 'vitest'
import { createForm, filledIn, publicPage, receive, submissionsOf } from '../../../testing/data/submissions.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const CHOICES = [
  {
    type: 'form_select',
    config: {
      label: { en: 'What is wrong?', de: 'Was ist los?' },
      name: 'problem',
      options: [{ value: 'bad_prints', label: { en: 'Bad prints', de: 'Schlechte Ausdrucke' } }],
    },
  },
  {
    type: 'form_checkbox',
    config: {
      label: 'Where?',
      name: 'where',
      options: [
        { value: 'a', label: 'Tray A' },
        { value: 'b', label: 'Tray B' },
      ],
    },
  },
  { type: 'form_text', config: { label: 'Note', name: 'note' } },
]

test('each answer has the name of its field, and a choice the label that the visitor read', async () => {
  const acme = await harness.createTenant()
  const page = await createForm(acme, { blocks: CHOICES })
  const shown = { ...(await publicPage(harness, acme, page.id)), defaultLanguage: 'de' }
  const answers = { problem: 'bad_prints', where: ['b', 'a'] }
  const { id } = await submissionsOf(harness).receive(filledIn(harness, shown, answers))
  const { data } = (await acme.get(`/v1/submissions/${id}`)).body
  expect(Object.values(data)).toEqual([
    {
      type: 'form_select',
      name: 'problem',
      label: 'Was ist los?',
      value: 'bad_prints',
      value_label: 'Schlechte Ausdrucke',
      order: 0,
    },
    {
      type: 'form_checkbox',
      name: 'where',
      label: 'Where?',
      value: ['a', 'b'],
      value_label: ['Tray A', 'Tray B'],
      order: 1,
    },
    { type: 'form_text', name: 'note', label: 'Note', value: null, value_label: null, order: 2 },
  ])
  // What people have read is what they search for.
  expect((await acme.get('/v1/submissions?search=schlechte ausdr')).body.data).toMatchObject([{ id }])
})

test('answers of earlier releases have neither names nor labels, and are still read', async () => {
  const acme = await harness.createTenant()
  const page = await createForm(acme)
  const { id } = await receive(harness, acme, page.id, { what: 'Leak' })
  const old = { [page.blocks[1].id]: { type: 'form_textarea', label: 'What happened?', value: 'Leak', order: 1 } }
  await harness.service.database.kysely
    .updateTable('submissions')
    .set({ data: old })
    .where('org_id', '=', acme.orgId)
    .where('id', '=', id)
    .execute()
  const { data } = (await acme.get(`/v1/submissions/${id}`)).body
  expect(Object.values(data)).toEqual([
    { type: 'form_textarea', name: null, label: 'What happened?', value: 'Leak', value_label: null, order: 1 },
  ])
})

test('the record, its events and exports name the scanned thing as it was called, also when it is deleted', async () => {
  const acme = await harness.createTenant()
  const page = await createForm(acme)
  const thing = { type: 'machine', name: 'Acme One, kitchen', external_id: 'acme-one-7' }
  const properties = [{ key: 'location', value: 'Kitchen' }]
  const object = (await acme.post('/v1/objects', { ...thing, properties })).body
  const product = (await acme.post('/v1/products', { name: 'Oil', gtin: '9506000134352' })).body
  const code = (await acme.post('/v1/qr-codes', { name: 'Door', external_id: 'door-1' })).body
  const send = async (kind: 'object' | 'product' | 'qr_code', id: string) =>
    (await receive(harness, acme, page.id, { what: 'Leak' }, { scanned: { kind, id } })).id
  const id = await send('object', object.id)
  const scanned = { type: 'object', id: object.id, external_id: 'acme-one-7', name: 'Acme One, kitchen' }
  expect((await acme.lastEvent()).data.scanned).toEqual(scanned)
  await send('product', product.id)
  await send('qr_code', code.id)
  const unscanned = await receive(harness, acme, page.id, { what: 'Leak' })
  expect((await acme.get(`/v1/submissions/${unscanned.id}`)).body.scanned).toBeNull()

  await acme.patch(`/v1/objects/${object.id}`, { name: 'Acme One, hall' })
  const withProperties = { ...scanned, properties: { location: 'Kitchen' } }
  const included = 'include=scanned.properties'
  expect((await acme.get(`/v1/submissions/${id}`)).body.scanned).toEqual(scanned)
  expect((await acme.get(`/v1/submissions/${id}?${included}`)).body.scanned).toEqual(withProperties)
  const { data } = (await acme.get(`/v1/submissions?${included}`)).body
  expect(data.map((one: any) => one.scanned)).toEqual([
    null,
    { type: 'qr_code', id: code.id, external_id: 'door-1', name: 'Door', properties: {} },
    { type: 'product', id: product.id, external_id: '09506000134352', name: 'Oil', properties: {} },
    withProperties,
  ])
  await acme.patch(`/v1/submissions/${id}`, { status: 'read' })
  expect((await acme.lastEvent()).data.scanned).toEqual(scanned)

  await acme.delete(`/v1/objects/${object.id}`)
  expect((await acme.get(`/v1/submissions/${id}`)).body).toMatchObject({ object_id: object.id, scanned })
  expect((await acme.get(`/v1/submissions/${id}?${included}`)).body.scanned).toEqual({ ...scanned, properties: {} })
  expect(await acme.get('/v1/submissions?include=page')).toMatchObject({
    status: 400,
    body: { error: 'invalid_query' },
  })
})

test('a page of submissions whose things have very long properties is shorter, and the next one goes on', async () => {
  const acme = await harness.createTenant()
  const page = await createForm(acme)
  const long = Array.from({ length: 100 }, (_, n) => ({ key: `key-${n}`, value: 'x'.repeat(2000) }))
  const sent: string[] = []
  for (let n = 0; n < 7; n++) {
    const object = (await acme.post('/v1/objects', { type: 'machine', properties: long })).body
    const scanned = { kind: 'object' as const, id: object.id }
    sent.unshift((await receive(harness, acme, page.id, { what: 'Leak' }, { scanned })).id)
  }
  const first = (await acme.get('/v1/submissions?include=scanned.properties')).body
  expect(first.data).toHaveLength(5)
  const cursor = encodeURIComponent(first.next_cursor)
  const second = (await acme.get(`/v1/submissions?include=scanned.properties&cursor=${cursor}`)).body
  expect([...first.data, ...second.data].map(({ id }: any) => id)).toEqual(sent)
  expect(second.next_cursor).toBeNull()
})
