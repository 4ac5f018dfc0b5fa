import { beforeEach, expect, inject, test } from 'vitest'
import { DAY_MS, SECOND_MS } from '../../../../platform/clock/index.ts'
import { LANGUAGES } from '../../../../platform/contract/languages.ts'
import type { Reply } from '../../../../testing/client.ts'
import { createCentre, type TestCentre } from '../../../../testing/data/help-centre.ts'
import { setReachable } from '../../../../testing/engines/database.ts'
import { eventually } from '../../../../testing/eventually.ts'
import { useHarness } from '../../../../testing/harness.ts'
import { testOnce } from '../../../../testing/test-once.ts'
import { TEXTS } from '../texts.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.1' } })

let centre: TestCentre
let oak: { id: string; slug: string }
let addresses = 0
beforeEach(async () => {
  centre = await createCentre(harness, { contact_email: 'help@acme.example' })
  oak = await centre.article({ slug: 'oak', title: 'Oak table' })
})

const newAddress = (): string => `203.0.${Math.floor(++addresses / 250)}.${addresses % 250}`

/** Sends a form as a browser does. */
const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Reply> =>
  harness.client().request('POST', `${centre.path}${path}`, {
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': newAddress(),
      ...headers,
    },
  })

const vote = (helpful: string, address = newAddress(), path = '/articles/oak', language = 'en') =>
  post(`${path}/feedback?language=${language}`, `helpful=${helpful}`, { 'x-forwarded-for': address })

const groups = async (): Promise<any[]> => (await centre.tenant.get('/v1/unanswered')).body.data
const counts = async () =>
  (await groups()).map(({ language, not_helpful_count, helpful_count }) => [language, not_helpful_count, helpful_count])

test('a "Yes" returns to the article with thanks', async () => {
  const reply = await vote('yes')
  expect([reply.status, reply.headers.get('location')]).toEqual([303, `${centre.path}/articles/oak#feedback-thanks`])
  expect(await groups()).toEqual([])
})

test('a "No" leads to one question, and is listed for editors', async () => {
  const reply = await vote('no')
  expect(reply.status).toBe(303)
  expect(reply.headers.get('location')).toBe(`${centre.path}/articles/oak/feedback`)
  expect(reply.headers.get('cache-control')).toBe('no-store')
  expect(reply.headers.get('set-cookie')).toBeNull()
  expect(await groups()).toMatchObject([
    { kind: 'article', article_id: oak.id, question: 'Oak table', language: 'en', count: 1 },
  ])
})

const comment = (text: string, address = newAddress(), language = 'en') =>
  post(
    `/articles/oak/feedback?language=${language}`,
    new URLSearchParams({ helpful: 'no', comment: text }).toString(),
    {
      'x-forwarded-for': address,
    },
  )
const comments = async () => (await groups()).flatMap(({ comments }) => comments.map(({ text }: any) => text))

test('what was missing is listed with the article: the last five answers, one of each visitor, none after a "Yes"', async () => {
  const address = newAddress()
  await vote('no', address)
  const reply = await comment('  Which oil?\u0000\r\nAnd how much? 🏷️ ', address)
  expect([reply.status, reply.headers.get('location')]).toEqual([303, `${centre.path}/articles/oak#feedback-thanks`])
  expect(await comments()).toEqual(['Which oil?  \nAnd how much? 🏷️'])
  expect(await counts()).toEqual([['en', 1, 0]])
  await comment('Linseed oil?', address)
  expect(await comments()).toEqual(['Linseed oil?'])
  expect((await groups())[0].comments[0]).toEqual({ text: 'Linseed oil?', created_at: expect.any(String) })
  await comment(' ', address)
  await comment('🏷'.repeat(600))
  expect((await comments()).map((text: string) => [...text].length)).toEqual([500, 12])
  await vote('yes', address)
  expect((await comments()).length).toBe(1)
  for (let n = 0; n < 6; n++) await comment(`No. ${n}`)
  expect(await comments()).toEqual(['No. 5', 'No. 4', 'No. 3', 'No. 2', 'No. 1'])
  expect(await counts()).toEqual([['en', 7, 1]])
})

test('the question offers the chat and the contact of the help centre, where there are some', async () => {
  const { tenant, base } = centre
  const chatOf = async () =>
    /href="(\/c\/\w+)\?lang=de"/.exec((await centre.read('/de/articles/oak/feedback')).text)?.[1]
  const create = async (more: object) =>
    (await tenant.post('/v1/chatbots', { name: 'Acme', status: 'active', ...more })).body
  const page = await centre.read('/de/articles/oak/feedback')
  expect(page.text).toContain(TEXTS.de.feedback.missing.question)
  expect(page.text).toContain('mailto:help@acme.example')
  expect(page.text).toContain('name="robots" content="noindex"')
  const other = (await createCentre(harness, {}, tenant)).base
  await create({ knowledge_base_ids: [other.id] })
  await create({ status: 'draft' })
  await create({ password: 'lamp river seven' })
  expect(await chatOf()).toBeUndefined()
  const general = await create({})
  expect(await chatOf()).toBe(`/c/${general.public_slug}`)
  const named = await create({ knowledge_base_ids: [base.id] })
  expect(await chatOf()).toBe(`/c/${named.public_slug}`)
  await tenant.patch(`/v1/chatbots/${named.id}`, { status: 'paused' })
  expect(await chatOf()).toBe(`/c/${general.public_slug}`)
  expect((await centre.read('/articles/unknown/feedback')).status).toBe(404)
})

test('a visitor has one vote for an article on a day, and can change it', async () => {
  const address = newAddress()
  for (const helpful of ['no', 'no']) await vote(helpful, address)
  expect(await counts()).toEqual([['en', 1, 0]])
  expect((await vote('yes', address)).status).toBe(303)
  expect(await counts()).toEqual([])
  await vote('no', address)
  await vote('no')
  expect(await counts()).toEqual([['en', 2, 0]])
  harness.advance(DAY_MS)
  await vote('no', address)
  expect(await counts()).toEqual([['en', 3, 0]])
})

test('the addresses of one IPv6 customer are one visitor', async () => {
  await vote('no', '2001:db8:1:2::1')
  await vote('no', '2001:db8:1:2:ffff::9')
  await vote('no', '2001:db8:1:3::1')
  expect(await counts()).toEqual([['en', 2, 0]])
})

test('the same visitor may vote on each article', async () => {
  await centre.article({ slug: 'elm', title: 'Elm table' })
  const address = newAddress()
  await vote('no', address)
  await vote('no', address, '/articles/elm')
  expect(await groups()).toHaveLength(2)
})

test('votes at once count once', async () => {
  const address = newAddress()
  const replies = await Promise.all(Array.from({ length: 8 }, () => vote('no', address)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]))
  expect(await counts()).toEqual([['en', 1, 0]])
})

test('a vote is for the text that was read, and returns to the same address', async () => {
  await centre.translate(oak.id, 'de', 'Eichentisch')
  const page = await centre.read('/de/articles/oak')
  expect(page.text).toContain(`action="${centre.path}/de/articles/oak/feedback?language=de"`)
  const reply = await vote('no', newAddress(), '/de/articles/oak', 'de')
  expect(reply.headers.get('location')).toBe(`${centre.path}/de/articles/oak/feedback`)
  expect(await groups()).toMatchObject([{ language: 'de', question: 'Eichentisch' }])
  // A language that the article does not have.
  await vote('no', newAddress(), '/articles/oak', 'fr')
  await vote('no', newAddress(), '/articles/oak', encodeURIComponent('"><script>'))
  expect((await counts()).toSorted()).toEqual([
    ['de', 1, 0],
    ['en', 2, 0],
  ])
})

test('a page is the same for all visitors, before and after a vote', async () => {
  const before = await centre.read('/articles/oak', { 'x-forwarded-for': newAddress() })
  const etag = before.headers.get('etag') as string
  const address = newAddress()
  await vote('no', address)
  const after = await centre.read('/articles/oak', { 'x-forwarded-for': address, 'if-none-match': etag })
  expect(after.status).toBe(304)
  expect(before.headers.get('cache-control')).toBe('public, no-cache')
  expect(before.headers.get('set-cookie')).toBeNull()
  expect(before.headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(before.headers.get('content-security-policy')).not.toContain('script-src')
})

test('the form is in every language', async () => {
  for (const language of LANGUAGES) {
    const { text } = await centre.read(`/${language}/articles/oak`)
    const { question, yes, no, thanks } = TEXTS[language].feedback
    for (const shown of [question, yes, no, thanks]) expect(text).toContain(shown)
  }
})

test('a post from another site is refused', async () => {
  const refused: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': '', origin: 'https://evil.example' },
  ]
  for (const headers of refused) {
    const reply = await post('/articles/oak/feedback', 'helpful=no', { ...headers, 'accept-language': 'nl' })
    expect(reply.status).toBe(403)
    expect(reply.text).toContain(TEXTS.nl.notCounted.title)
    expect(reply.text).toContain('mailto:help@acme.example')
    expect(reply.headers.get('cache-control')).toBe('no-store')
  }
  expect(await groups()).toEqual([])
})

test('what is no vote on a public article is refused', async () => {
  await centre.article({ slug: 'internal', visibility: 'internal' })
  const { tenant, base } = await createCentre(harness)
  expect((await tenant.delete(`/v1/knowledge-bases/${base.id}`)).status).toBe(204)
  for (const [path, body, status] of [
    ['/articles/oak/feedback', '', 400],
    ['/articles/oak/feedback', 'helpful=perhaps', 400],
    ['/articles/oak/feedback', `helpful=no&x=${'x'.repeat(10_000)}`, 413],
    ['/articles/oak', 'helpful=no', 404],
    ['/articles/unknown/feedback', 'helpful=no', 404],
    ['/articles/internal/feedback', 'helpful=no', 404],
    ['/categories/oak/feedback', 'helpful=no', 404],
    ['/feedback', 'helpful=no', 404],
    [`/../${base.public_slug}/articles/oak/feedback`, 'helpful=no', 410],
    ['/../unknown/articles/oak/feedback', 'helpful=no', 404],
  ] as const) {
    expect((await post(path, body)).status, path).toBe(status)
  }
  expect(await groups()).toEqual([])
})

test('the 31st vote of a visitor in a minute is refused until it may be repeated', async () => {
  const address = newAddress()
  for (let n = 0; n < 30; n++) expect((await vote(n % 2 === 0 ? 'no' : 'yes', address)).status).toBe(303)
  const refused = await vote('no', address)
  expect(refused.status).toBe(429)
  expect(refused.text).toContain(TEXTS.en.notCounted.title)
  expect((await vote('no')).status).toBe(303)
  harness.advance(Number(refused.headers.get('retry-after')) * SECOND_MS)
  expect((await vote('no', address)).status).toBe(303)
})

testOnce('an article under attack takes at most 120 votes in a minute', async () => {
  await centre.article({ slug: 'elm', title: 'Elm table' })
  const statuses: number[] = []
  for (let n = 0; n < 125; n++) statuses.push((await vote('no')).status)
  expect(statuses.filter((status) => status === 303)).toHaveLength(120)
  expect((await vote('no', newAddress(), '/articles/elm')).status).toBe(303)
})

if (inject('engine') === 'postgres') {
  test('while the database is unreachable, a vote gets a notice', async () => {
    expect((await vote('no')).status).toBe(303)
    await setReachable(harness.location, false)
    const reply = await vote('no')
    await setReachable(harness.location, true)
    expect(reply.status).toBe(503)
    expect(reply.text).toContain(TEXTS.en.notCounted.title)
    await eventually(async () => (await vote('no')).status === 303)
  })
}
