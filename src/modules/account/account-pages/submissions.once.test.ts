import { expect, test } from 'vitest'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { Visitor } from '../../../testing/visitor.ts'

const harness = useHarness()

async function createPage(acme: Tenant) {
  const page = {
    title: 'Feedback',
    status: 'active',
    proof_of_work: 'never',
    blocks: [{ type: 'form_textarea', config: { label: 'Your idea', name: 'idea', required: true } }],
  }
  return (await acme.post('/v1/pages', page)).body
}

const send = (publicSlug: string, idea: string) =>
  fetch(`${harness.baseUrl}/p/${publicSlug}`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', accept: 'application/json' },
    body: new URLSearchParams({ idea }),
  })

function signedIn({ token }: { token: string }): Visitor {
  const visitor = new Visitor(harness.baseUrl)
  visitor.cookies.set('waymark_session', token)
  return visitor
}

test('shows what visitors sent, escaped, and only to members of the organisation', async () => {
  const acme = await harness.createTenant()
  const { public_slug } = await createPage(acme)
  expect((await send(public_slug, '<script>alert(1)</script> מכונה')).status).toBe(200)
  const [submission] = (await acme.get('/v1/submissions')).body.data
  const agent = signedIn(await harness.createPerson(acme, 'agent'))
  expect((await agent.open('/account/submissions')).text).toContain('Feedback · No. 1')
  const shown = (await agent.open(`/account/submission?id=${submission.id}`)).text
  expect(shown).toContain('&lt;script&gt;alert(1)&lt;/script&gt; מכונה')
  expect(shown).not.toContain('<script>')

  const other = await harness.createTenant()
  const stranger = signedIn(await harness.createPerson(other, 'owner'))
  expect((await stranger.open(`/account/submission?id=${submission.id}`)).status).toBe(404)
  expect((await stranger.open('/account/submissions')).text).not.toContain('Feedback')
})

test('an agent changes status, priority, flag, assignee and notes; a member only reads', async () => {
  const acme = await harness.createTenant()
  const { public_slug } = await createPage(acme)
  await send(public_slug, 'A larger handle')
  const [{ id }] = (await acme.get('/v1/submissions')).body.data
  const person = await harness.createPerson(acme, 'agent')
  const agent = signedIn(person)
  const change = {
    status: 'in_progress',
    priority: 'high',
    flagged: 'on',
    assignee_id: person.userId,
    notes: 'Ordered',
  }
  await agent.open(`/account/submission?id=${id}`)
  expect((await agent.send('/account/submission', { id, ...change })).status).toBe(303)
  expect((await acme.get(`/v1/submissions/${id}`)).body).toMatchObject({ ...change, flagged: true })

  const reader = signedIn(await harness.createPerson(acme, 'member'))
  const page = await reader.open(`/account/submission?id=${id}`)
  expect(page.text).toContain('A larger handle')
  expect(page.text).not.toContain('<textarea')
  expect((await reader.send('/account/submission', { id, status: 'spam' })).status).toBe(403)
  expect((await acme.get(`/v1/submissions/${id}`)).body.status).toBe('in_progress')
})

test('filters by status and walks through all pages of the list', async () => {
  const acme = await harness.createTenant()
  const { public_slug } = await createPage(acme)
  for (let n = 0; n < 27; n++) await send(public_slug, `Idea ${n}`)
  const agent = signedIn(await harness.createPerson(acme, 'agent'))
  const first = (await agent.open('/account/submissions?status=new')).text
  expect(first.match(/No\. \d+/g)).toHaveLength(25)
  const older = /href="([^"]+cursor=[^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect((await agent.open(older)).text.match(/No\. \d+/g)).toHaveLength(2)
  expect((await agent.open('/account/submissions?status=spam')).text).not.toMatch(/No\. \d+/)
})

test('erasing leaves only the number', async () => {
  const acme = await harness.createTenant()
  const { public_slug } = await createPage(acme)
  await send(public_slug, 'Remove me')
  const [{ id }] = (await acme.get('/v1/submissions')).body.data
  const owner = signedIn(await harness.createPerson(acme, 'owner'))
  await owner.open(`/account/submission?id=${id}`)
  expect((await owner.send('/account/submission/erase', { id })).status).toBe(303)
  expect((await acme.get(`/v1/submissions/${id}`)).status).toBe(410)
})

test('an agent replies to the visitor and sees what was replied; a member only reads it, and spam gets none', async () => {
  const acme = await harness.createTenant()
  const { public_slug } = await createPage(acme)
  await send(public_slug, 'A larger handle')
  const [{ id }] = (await acme.get('/v1/submissions')).body.data
  const agent = signedIn(await harness.createPerson(acme, 'agent'))
  const path = `/account/submission?id=${id}`
  await agent.open(path)
  expect((await agent.send('/account/submission/reply', { id, text: 'Thank you <b>' })).status).toBe(303)
  expect((await agent.open(path)).text).toContain('<dd dir="auto">Thank you &lt;b&gt;</dd>')
  expect((await agent.send('/account/submission/reply', { id, text: ' ' })).status).toBe(400)
  expect((await acme.get(`/v1/submissions/${id}/replies`)).body.data).toMatchObject([{ text: 'Thank you <b>' }])

  const reader = signedIn(await harness.createPerson(acme, 'member'))
  const read = (await reader.open(path)).text
  expect([read.includes('Thank you &lt;b&gt;'), read.includes('<textarea')]).toEqual([true, false])
  expect((await reader.send('/account/submission/reply', { id, text: 'Hello' })).status).toBe(403)
  await acme.patch(`/v1/submissions/${id}`, { status: 'spam' })
  expect((await agent.open(path)).text).not.toContain('/account/submission/reply')
})
