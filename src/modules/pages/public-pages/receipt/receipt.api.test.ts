/** A visitor sends a form and follows it by its receipt, until it is erased. */
import { expect, test } from 'vitest'
import { DAY_MS } from '../../../../platform/clock/index.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import { createPage, FIELDS, hiddenIn, PageVisitor, submissionsOf } from '../../../../testing/page-visitor.ts'
import { rememberToken } from '../../../../testing/secrets-guard.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.1' } })

const MORE = [
  ...FIELDS,
  { type: 'form_phone', config: { label: 'Phone', name: 'phone' } },
  { type: 'form_hidden', config: { name: 'campaign', value: 'poster-7' } },
]

/** Opens the page by scanning an object. */
async function scan(acme: Tenant, more: object = {}) {
  const page = await createPage(acme, MORE, more)
  const body = { type: 'machine', name: 'Acme One, <kitchen>', destination: { page: page.id } }
  const object = (await acme.post('/v1/objects', body)).body
  const visitor = new PageVisitor(harness, page)
  const { text, headers } = await visitor.request('GET', `/o/${object.public_slug}`)
  visitor.cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
  visitor.hidden = hiddenIn(text)
  harness.advance(5000)
  return { page, visitor, object }
}

const tokenIn = (location: string): string => {
  const token = new URL(location, 'https://acme.example').searchParams.get('_wm_receipt') ?? ''
  expect(token).toMatch(/^[\w-]{43}$/)
  rememberToken(token)
  return token
}

test('the page after a form links to a receipt with the thing, the status, the answers and the replies', async () => {
  const acme = await harness.createTenant()
  const { page, visitor } = await scan(acme)
  const answers = { what: 'It leaks <b>', where: ['b'], email: 'kim@acme.example', phone: '+49 30 123456' }
  const sent = await visitor.send(answers)
  expect(sent.status).toBe(303)
  const location = sent.headers.get('location') ?? ''
  const path = `/p/receipt/${tokenIn(location)}`
  const after = await visitor.request('GET', location)
  expect(after.text).toContain('<strong dir="auto">Report 1 for Acme One, &lt;kitchen&gt;</strong>')
  expect(after.text).toContain(`<a href="${path}">See the status and replies</a>`)
  expect(after.text).toContain('<meta name="referrer" content="no-referrer">')
  expect(after.headers.get('cache-control')).toBe('no-store')

  const id = (await submissionsOf(harness, acme, page))[0]?.id
  const open = (query = '') => new PageVisitor(harness, page).request('GET', path + query)
  const shown = await open()
  expect(shown.status).toBe(200)
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
  expect(shown.headers.getSetCookie()).toEqual([])
  expect(shown.text).toContain('<h1 dir="auto">Report 1 for Acme One, &lt;kitchen&gt;</h1>')
  for (const text of ['<strong>Received</strong>', 'No replies yet.', 'It leaks &lt;b&gt;', '<dd dir="auto">B</dd>']) {
    expect(shown.text).toContain(text)
  }
  // Whoever gets the link passed on need not know how to reach the visitor, and nobody needs hidden fields.
  for (const text of ['kim@acme.example', '123456', 'poster-7', '<script']) expect(shown.text).not.toContain(text)

  await acme.patch(`/v1/submissions/${id}`, { status: 'in_progress', notes: 'Kim is always late.' })
  await acme.post(`/v1/submissions/${id}/replies`, { text: 'A new seal <i>\narrives on Monday.' })
  const later = (await open('?lang=de')).text
  expect(later).toContain('<html lang="de">')
  for (const text of ['Meldung 1 zu', '<strong>In Bearbeitung</strong>', 'A new seal &lt;i&gt;\narrives on Monday.'])
    expect(later).toContain(text)
  expect(later).not.toContain('Kim is')

  await acme.delete(`/v1/pages/${page.id}`)
  expect((await open()).text).toContain('A new seal')
  await acme.delete(`/v1/submissions/${id}`)
  const gone = await open()
  expect([gone.status, gone.headers.get('x-robots-tag')]).toEqual([404, 'noindex'])
  expect(gone.text).toContain('We could not find this receipt')
})

test('a form that is sent again leads to the same receipt, also by the script, and another form to another one', async () => {
  const acme = await harness.createTenant()
  const { page, visitor } = await scan(acme)
  const key = { _wm_key: 'the-same-form-every-time' }
  const first = await visitor.sendByScript({ what: 'It leaks', ...key })
  expect(first.json).toEqual({ sent: true, redirect: expect.any(String), receipt: expect.any(String) })
  expect(first.json.receipt).toBe(`/p/receipt/${tokenIn(first.json.redirect)}`)
  const [again, twice] = await Promise.all([1, 2].map(() => visitor.sendByScript({ what: 'It leaks', ...key })))
  expect([again?.json.receipt, twice?.json.receipt]).toEqual([first.json.receipt, first.json.receipt])
  const other = await visitor.sendByScript({ what: 'It leaks', _wm_key: 'another-form-of-the-same' })
  expect(other.json.receipt).not.toBe(first.json.receipt)
  // The key is forgotten after two days. The form is then a new one, with a receipt of its own.
  harness.advance(3 * DAY_MS)
  const { kysely } = harness.service.database
  await kysely.deleteFrom('submission_keys').where('org_id', '=', acme.orgId).execute()
  const late = await visitor.sendByScript({ what: 'It leaks', ...key })
  expect(late.json.receipt).not.toBe(first.json.receipt)
  expect(await submissionsOf(harness, acme, page)).toHaveLength(3)
})

test('suspected spam has the same receipt, which does not say so', async () => {
  const acme = await harness.createTenant()
  const { page, visitor } = await scan(acme)
  const { json } = await visitor.sendByScript({ what: 'Buy pills', _wm_t: 'x@spam.example' })
  tokenIn(json.redirect)
  expect((await submissionsOf(harness, acme, page))[0]?.status).toBe('spam')
  const { status, text } = await visitor.request('GET', json.receipt)
  expect(status).toBe(200)
  expect(text).toContain('<strong>Received</strong>')
  expect(text.toLowerCase()).not.toContain('spam')
})

test('links to the help centre and the chat are those that everybody may open', async () => {
  const acme = await harness.createTenant()
  const { visitor } = await scan(acme)
  const { json } = await visitor.sendByScript({ what: 'It leaks' })
  tokenIn(json.redirect)
  const receipt = async () => (await visitor.request('GET', json.receipt)).text
  await acme.post('/v1/chatbots', { name: 'Staff', password: 'correct horse battery' })
  await acme.post('/v1/knowledge-bases', { name: 'Draft' })
  expect(await receipt()).not.toContain('Do you need help?')
  const base = (await acme.post('/v1/knowledge-bases', { name: 'Care', is_published: true })).body
  const bot = (await acme.post('/v1/chatbots', { name: 'Support', status: 'active' })).body
  const text = await receipt()
  expect(text).toContain(`href="/kb/${base.public_slug}">Help centre</a>`)
  expect(text).toContain(`href="/c/${bot.public_slug}">Chat with us</a>`)
})

test('without something that has a name, the receipt names the organisation, and an unknown token leads nowhere', async () => {
  const acme = await harness.createTenant()
  const page = await createPage(acme)
  const visitor = new PageVisitor(harness, page)
  await visitor.open()
  const { json } = await visitor.sendByScript({ what: 'It leaks' })
  const token = tokenIn(json.redirect)
  const name = (await acme.get('/v1/organisation')).body.name
  expect((await visitor.request('GET', json.receipt)).text).toContain(`>Message 1 to ${name}</h1>`)
  for (const wrong of ['x', 'x'.repeat(43), token.slice(1), `${token}x`, '%00', "'"]) {
    expect((await visitor.request('GET', `/p/receipt/${wrong}`)).status).toBe(404)
  }
  const foreign = await createPage(await harness.createTenant())
  const elsewhere = await visitor.request('GET', `/p/${foreign.public_slug}/sent?lang=en&_wm_receipt=${token}`)
  expect(elsewhere.text).not.toContain(token)
})
