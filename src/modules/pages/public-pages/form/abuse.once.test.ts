import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '../../../../platform/clock/index.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import {
  createPage,
  FIELDS,
  PageVisitor,
  solve,
  submissionsOf,
  withoutReceipt,
} from '../../../../testing/page-visitor.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.1' }, overrides: { bodyLimits: { timeoutMs: 500 } } })
let tenant: Tenant
beforeAll(async () => {
  tenant = await harness.createTenant()
})

const received = (page: { id: string }) => submissionsOf(harness, tenant, page)

async function visit(more: object = {}) {
  const page = await createPage(tenant, FIELDS, more)
  const visitor = new PageVisitor(harness, page)
  await visitor.open()
  return { page, visitor }
}

test('a post from another site is refused, and one from the host of the page is not', async () => {
  const { page, visitor } = await visit()
  const post = (headers: Record<string, string>) => visitor.send({ what: 'It leaks' }, headers)
  const withoutSite = { 'sec-fetch-site': '' }
  expect((await post({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await post({ 'sec-fetch-site': 'same-site' })).status).toBe(403)
  expect((await post({ 'sec-fetch-site': 'none' })).status).toBe(403)
  expect((await post({ ...withoutSite, origin: 'https://evil.example' })).status).toBe(403)
  expect(
    (await visitor.request('POST', `${visitor.path}/files?field=photos`, 'x', { 'sec-fetch-site': 'cross-site' }))
      .status,
  ).toBe(403)
  expect(await received(page)).toEqual([])
  // The host of the request counts, which may be a domain of the customer.
  expect((await post({ ...withoutSite, origin: harness.baseUrl })).status).toBe(303)
})

test('the 31st form in a minute is refused, keeps what was typed, and others can go on', async () => {
  const { page, visitor } = await visit({ proof_of_work: 'never' })
  for (let n = 0; n < 30; n++) expect((await visitor.sendByScript({ what: `Form ${n}` })).status).toBe(200)
  const refused = await visitor.send({ what: 'One more <b>', where: 'a' })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.text).toContain('One more &lt;b&gt;')
  expect(refused.text).toMatch(/value="a" [^>]*checked/)
  expect(await visitor.sendByScript({ what: 'x' })).toMatchObject({
    status: 429,
    json: { message: expect.any(String) },
  })
  expect((await new PageVisitor(harness, page).send({ what: 'Another visitor' })).status).toBe(303)
  harness.advance(Number(refused.headers.get('retry-after')) * SECOND_MS)
  expect((await visitor.send({ what: 'One more' })).status).toBe(303)
  expect(await received(page)).toHaveLength(32)
})

test('a filled trap and many answers at once are spam, and the visitor sees no difference', async () => {
  const { page, visitor } = await visit()
  const honest = await visitor.send({ what: 'Honest' })
  const trapped = await visitor.send({ what: 'Buy pills', _wm_t: 'x@spam.example' })
  const fast = new PageVisitor(harness, page)
  await fast.open(500)
  const hasty = await fast.send({ what: 'Fast', email: 'kim@acme.example', where: 'a' })
  for (const { status, headers } of [trapped, hasty]) {
    expect(status).toBe(honest.status)
    expect(withoutReceipt(headers.get('location'))).toBe(withoutReceipt(honest.headers.get('location')))
  }
  expect((await received(page)).map(({ status, spam_reason }) => [status, spam_reason])).toEqual([
    ['new', null],
    ['spam', 'honeypot'],
    ['spam', 'too_fast'],
  ])
})

test('a filled trap is no reason for spam once the browser has done some work', async () => {
  const { page, visitor } = await visit({ proof_of_work: 'always' })
  const _wm_proof = await solve(await visitor.challenge())
  expect((await visitor.send({ what: 'It leaks', _wm_t: 'Kim', _wm_proof })).status).toBe(303)
  expect(await received(page)).toMatchObject([{ status: 'new', spam_reason: null }])
})

test('no browser fills in the trap', async () => {
  const { visitor } = await visit()
  const { text } = await visitor.request('GET', visitor.path)
  const [trap = ''] = /<input [^>]*name="_wm_t"[^>]*>/.exec(text) ?? []
  expect(trap).toContain(' readonly')
  expect(trap).toContain(' autocomplete="off"')
  expect(trap).not.toMatch(/mail|name="[^"]*(?:name|phone|tel|address|user|pass|url|zip|city)/i)
})

test('a form of an earlier release is accepted, and its own trap is none any more', async () => {
  const { page, visitor } = await visit()
  const hidden = { _wm_about: '', _wm_key: '', _wm_proof: '' }
  visitor.hidden = hidden
  expect((await visitor.sendByScript({ what: 'It leaks', _wm_email2: 'kim@acme.example' })).status).toBe(200)
  expect(await received(page)).toMatchObject([{ status: 'new', spam_reason: null }])
})

test('a page that always asks for a proof of work stores forms without one as spam', async () => {
  const { page, visitor } = await visit({ proof_of_work: 'always' })
  const other = await visit({ proof_of_work: 'always' })
  const proof = await solve(await visitor.challenge())
  const foreign = await solve(await other.visitor.challenge())
  const [challenge = '', number = ''] = proof.split(':')
  const late = await solve(await visitor.challenge())
  const wrong = { none: '', text: 'x', number: `${challenge}:${Number(number) + 1}`, foreign, forged: `9${proof}` }
  const send = (_wm_proof: string, what = 'It leaks') => visitor.send({ what, _wm_proof })
  for (const sent of Object.values(wrong)) expect((await send(sent)).status).toBe(303)
  expect((await send(proof)).status).toBe(303)
  expect((await send(proof, 'It leaks again')).status).toBe(303)
  harness.advance(31 * MINUTE_MS)
  expect((await send(late)).status).toBe(303)
  const reasons = (await received(page)).map(({ spam_reason }) => spam_reason)
  expect(reasons).toEqual([...Array(5).fill('no_proof_of_work'), null, 'no_proof_of_work', 'no_proof_of_work'])
})

test('the script is asked for a proof, and only while a page gets unusually many forms', async () => {
  const { page, visitor } = await visit()
  for (let n = 0; n < 30; n++) {
    const one = new PageVisitor(harness, page, `10.9.${n}.1`)
    expect((await one.sendByScript({ what: `Form ${n}` })).status).toBe(200)
  }
  const asked = await visitor.sendByScript({ what: 'It leaks' })
  expect(asked).toMatchObject({ status: 428, json: { challenge: expect.any(String), bits: 17 } })
  expect((await visitor.sendByScript({ what: 'It leaks', _wm_proof: await solve(asked.json) })).status).toBe(200)
  harness.advance(2 * MINUTE_MS)
  expect((await visitor.sendByScript({ what: 'Later' })).status).toBe(200)
  expect((await received(page)).every(({ status }) => status === 'new')).toBe(true)
})

test('bodies that are too large, too many or malformed are refused', async () => {
  const { page, visitor } = await visit()
  const post = async (body: NonNullable<RequestInit['body']>, type?: string) =>
    (await visitor.request('POST', visitor.path, body, type === undefined ? {} : { 'content-type': type })).status
  const urlencoded = 'application/x-www-form-urlencoded'
  expect(await post(`what=${'x'.repeat(300_000)}`, urlencoded)).toBe(413)
  expect(await post('a&'.repeat(5000), urlencoded)).toBe(413)
  expect(await post('{"what": 1}', 'application/json')).toBe(415)
  expect(await post('x', 'multipart/form-data')).toBe(400)
  expect(await post('--b\r\nno end', 'multipart/form-data; boundary=b')).toBe(400)
  const many = new FormData()
  for (let n = 0; n < 2500; n++) many.append(`field-${n}`, 'x')
  expect(await post(many)).toBe(413)
  const large = new FormData()
  large.append('what', 'x'.repeat(300_000))
  expect(await post(large)).toBe(413)
  const hidden = new FormData()
  for (let n = 0; n < 1000; n++) hidden.append(`field-${n}`, 'x')
  hidden.append('what', 'It leaks')
  expect(await post(hidden)).toBe(303)
  expect(await received(page)).toHaveLength(1)
})

test('a sender that is too slow is cut off', async () => {
  const { page, visitor } = await visit()
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(harness.service.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      if (text.includes('\r\n\r\n')) socket.destroy()
    })
    socket.on('close', () => resolve(text)).on('error', reject)
    const head = [
      'sec-fetch-site: same-origin',
      'content-type: application/x-www-form-urlencoded',
      'content-length: 100',
    ]
    socket.write(`POST ${visitor.path} HTTP/1.1\r\nhost: localhost\r\n${head.join('\r\n')}\r\n\r\nwhat=It`)
  })
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(await received(page)).toEqual([])
})
