import { beforeAll, expect, test } from 'vitest'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import {
  createPage,
  FIELDS,
  hiddenIn,
  PageVisitor,
  submissionsOf,
  valuesOf,
  withoutReceipt,
} from '../../../../testing/page-visitor.ts'
import { TEXTS } from '../texts.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.1' } })
let tenant: Tenant
beforeAll(async () => {
  tenant = await harness.createTenant()
})

const received = (page: { id: string }) => submissionsOf(harness, tenant, page)

async function visit(blocks: readonly object[] = FIELDS, more: object = {}) {
  const page = await createPage(tenant, blocks, more)
  const visitor = new PageVisitor(harness, page)
  await visitor.open()
  return { page, visitor }
}

test('a form becomes a submission, and the visitor sees the success view', async () => {
  const { page, visitor } = await visit()
  const fields = { what: 'It leaks\r\nagain 💧', email: 'kim@acme.example', where: ['a', 'b'] }
  const { status, headers } = await visitor.send(fields)
  expect([status, withoutReceipt(headers.get('location'))]).toEqual([303, `${visitor.path}/sent?lang=en`])
  const [submission] = await received(page)
  expect(submission).toMatchObject({ number: 1, status: 'new', spam_reason: null })
  expect(valuesOf(submission!)).toEqual({
    'What happened?': 'It leaks\nagain 💧',
    Email: 'kim@acme.example',
    'Where?': ['a', 'b'],
  })
  const sent = await visitor.request('GET', headers.get('location')!)
  expect([sent.status, sent.text.includes('Thank you')]).toEqual([200, true])
})

test('one tap is a submission, however fast, and so are several by somebody who touched the form', async () => {
  const stars = { type: 'form_rating', config: { label: 'How was it?', name: 'stars', required: true } }
  const comment = { type: 'form_text', config: { label: 'Why?', name: 'why' } }
  const { page } = await visit([stars, comment])
  const answers = [{ stars: '5' }, { stars: '4', why: 'It leaks', _wm_touched: '1' }, { stars: '3', why: 'Buy pills' }]
  for (const answer of answers) {
    const visitor = new PageVisitor(harness, page)
    await visitor.open(300)
    expect((await visitor.send(answer)).status).toBe(303)
  }
  const stored = await received(page)
  expect(stored.map(({ status, spam_reason }) => [status, spam_reason])).toEqual([
    ['new', null],
    ['new', null],
    ['spam', 'too_fast'],
  ])
  // What the browser did is not stored.
  expect(JSON.stringify(stored)).not.toContain('touched')
})

test('a form with problems is shown again with everything that was typed, and nothing is stored', async () => {
  const { page, visitor } = await visit()
  const { status, text, headers } = await visitor.send({ what: '', email: '"><b>ا', where: 'b' })
  expect(status).toBe(422)
  expect(headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(headers.get('cache-control')).toBe('no-store')
  expect(text).toContain('value="&quot;&gt;&lt;b&gt;ا"')
  expect(text).toContain('value="b" checked')
  expect(text).toContain('class="on">Please fill in this field.')
  expect(text).toContain('class="on">Please enter an email address')
  expect(await received(page)).toEqual([])
  // What is sent next is the same form: sending it twice has no further effect.
  visitor.hidden = hiddenIn(text)
  expect(visitor.hidden._wm_key).toMatch(/^\w{22}$/)
  for (let n = 0; n < 2; n++) expect((await visitor.send({ what: 'It leaks' })).status).toBe(303)
  expect(await received(page)).toHaveLength(1)
})

test('the script gets JSON, in the language of the page', async () => {
  const { page, visitor } = await visit([
    { type: 'form_text', config: { label: { en: 'Name', de: 'Name (de)' }, name: 'name', required: true } },
  ])
  const path = `${visitor.path}?lang=de`
  const body = (value: string) => new URLSearchParams({ name: value })
  const json = { accept: 'application/json' }
  const refused = await visitor.request('POST', path, body(''), json)
  expect(refused).toMatchObject({
    status: 422,
    json: { message: expect.any(String), errors: { name: expect.any(String) } },
  })
  expect(refused.json.errors.name).not.toBe('Please fill in this field.')
  const sent = await visitor.request('POST', path, body('Kim'), json)
  expect(sent).toMatchObject({ status: 200, json: { sent: true } })
  expect(withoutReceipt(sent.json.redirect)).toBe(`${visitor.path}/sent?lang=de`)
  expect(valuesOf((await received(page))[0]!)).toEqual({ 'Name (de)': 'Kim' })
})

test('in a language without an interface, problems are in the one that the visitor reads best', async () => {
  const label = { en: 'Name', he: 'שם' }
  const { page, visitor } = await visit([{ type: 'form_text', config: { label, name: 'name', required: true } }])
  const path = `${visitor.path}?lang=he`
  const post = (value: string, headers: Record<string, string> = {}) =>
    visitor.request('POST', path, new URLSearchParams({ name: value }), { 'accept-language': 'he, de', ...headers })
  const { required, invalid } = { ...TEXTS.de.form, ...TEXTS.de.form.problems }
  const { status, headers, text } = await post('')
  expect([status, headers.get('content-language')]).toEqual([422, 'he'])
  expect(text).toContain('<html lang="he" dir="rtl">')
  expect(text).toContain(`data-wm-says lang="de" dir="ltr"><p data-problem="required" class="on">${required}</p>`)
  expect(text).toContain(
    `role="alert" tabindex="-1" autofocus lang="de" dir="ltr"><div><p>${invalid}</p><ul lang="he" dir="rtl"><li><a href="#f0" dir="rtl">שם: <span lang="de" dir="ltr">${required}</span></a></li></ul>`,
  )
  const json = await post('', { accept: 'application/json' })
  expect(json).toMatchObject({ status: 422, json: { message: invalid, errors: { name: required } } })
  expect(withoutReceipt((await post('Kim')).headers.get('location'))).toBe(`${visitor.path}/sent?lang=he`)
  expect(valuesOf((await received(page))[0]!)).toEqual({ שם: 'Kim' })
})

test('without the script, a second click sends no second form, and the same answers later do', async () => {
  const { page, visitor } = await visit()
  const TEN_SECONDS = 10_000
  harness.advance(TEN_SECONDS - (harness.nowMs() % TEN_SECONDS))
  const clicks = [visitor.send({ what: 'It leaks' }), visitor.send({ what: 'It leaks' })]
  expect((await Promise.all(clicks)).map(({ status }) => status)).toEqual([303, 303])
  expect(await received(page)).toHaveLength(1)
  await visitor.send({ what: 'It leaks a lot' })
  expect(await received(page)).toHaveLength(2)
  harness.advance(TEN_SECONDS)
  await visitor.send({ what: 'It leaks' })
  expect(await received(page)).toHaveLength(3)
})

test('a form key that was used answers the same, and 20 posts at once are one submission', async () => {
  const { page, visitor } = await visit()
  const sends = Array.from({ length: 20 }, () => visitor.sendByScript({ what: 'It leaks', _wm_key: 'k'.repeat(22) }))
  for (const { status, json } of await Promise.all(sends)) expect([status, json.sent]).toEqual([200, true])
  expect(await received(page)).toHaveLength(1)
})

test('a page that was changed meanwhile ignores removed fields and asks for new ones', async () => {
  const { page, visitor } = await visit()
  const { blocks } = (await tenant.get(`/v1/pages/${page.id}`)).body
  const [what] = blocks.filter(({ config }: any) => config.name === 'what')
  const { sort_order: _, ...kept } = what
  const added = { type: 'form_text', config: { label: 'Serial number', name: 'serial', required: true } }
  expect((await tenant.put(`/v1/pages/${page.id}/blocks`, { blocks: [kept, added] })).status).toBe(200)
  const refused = await visitor.send({ what: 'It leaks', email: 'kim@acme.example' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('It leaks')
  expect((await visitor.send({ what: 'It leaks', email: 'kim@acme.example', serial: '7' })).status).toBe(303)
  expect(valuesOf((await received(page))[0]!)).toEqual({ 'What happened?': 'It leaks', 'Serial number': '7' })
})

test('pages that visitors do not see refuse forms with their notice', async () => {
  const { page, visitor } = await visit()
  for (const [status, title] of [
    ['draft', 'This page is not ready yet'],
    ['inactive', 'This page is paused'],
    ['archived', 'This page is paused'],
  ]) {
    await tenant.patch(`/v1/pages/${page.id}`, { status })
    const refused = await visitor.send({ what: 'It leaks' })
    expect([refused.status, refused.text.includes(title!)]).toEqual([409, true])
    expect(await visitor.sendByScript({ what: 'It leaks' })).toMatchObject({ status: 409, json: { message: title } })
  }
  expect((await tenant.delete(`/v1/pages/${page.id}`)).status).toBe(204)
  expect(await visitor.send({ what: 'It leaks' })).toMatchObject({ status: 410 })
  const nobody = new PageVisitor(harness, { public_slug: 'k7Qm2XvB9sTe' })
  expect(await nobody.send({ what: 'It leaks' })).toMatchObject({ status: 404 })
  expect(await received(page)).toEqual([])
})

test('a form may lead to an address of the organisation', async () => {
  const submit = { type: 'form_submit', config: { label: 'Send', success_url: 'https://acme.com/thanks' } }
  const { visitor } = await visit([...FIELDS, submit])
  const { headers } = await visitor.send({ what: 'It leaks' })
  expect(headers.get('location')).toBe('https://acme.com/thanks')
  expect((await visitor.sendByScript({ what: 'It leaks' })).json.redirect).toBe('https://acme.com/thanks')
  // Browsers apply the policy of the page to where a form leads in the end.
  const page = await visitor.request('GET', visitor.path)
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://acme.com")
})

test('a submission is attributed to what was scanned, with the parameters of the visit', async () => {
  const page = await createPage(tenant)
  const object = (await tenant.post('/v1/objects', { type: 'machine', destination: { type: 'page', page: page.id } }))
    .body
  const visitor = new PageVisitor(harness, page)
  const shown = await visitor.request('GET', `${new URL(object.url).pathname}?utm_source=label`)
  expect(shown.status).toBe(200)
  visitor.hidden = hiddenIn(shown.text)
  visitor.cookie = shown.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  harness.advance(5000)
  expect((await visitor.send({ what: 'It leaks' })).status).toBe(303)
  const forged = `object.${object.id}.1.${'A'.repeat(22)}`
  expect((await visitor.send({ what: 'Forged', _wm_about: forged, _wm_key: '' })).status).toBe(303)
  const [first, second] = await received(page)
  expect(first).toMatchObject({ object_id: object.id, metadata: { utm_source: 'label' } })
  expect(second).toMatchObject({ object_id: null })
})
