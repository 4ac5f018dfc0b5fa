import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../platform/contract/languages.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import { eventually } from '../../testing/eventually.ts'
import { useHarness } from '../../testing/harness.ts'
import { killProcesses, runCommand, settingsFor } from '../../testing/process.ts'
import { Visitor } from '../../testing/visitor.ts'

const harness = useHarness()
afterAll(killProcesses)

const DAY_MS = 24 * 60 * 60 * 1000
const waymark = (...args: string[]) => runCommand(args, settingsFor(harness))
const json = async (...args: string[]): Promise<any> => {
  const { code, stderr, json } = await waymark(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return json
}

test('creates an organisation that can be explored at once, and deletes only that', async () => {
  // An organisation with the same name and slug must survive.
  const real = await json('org', 'create', '--name', 'Acme', '--slug', 'acme')
  const realOwner = await json('user', 'create', '--org', 'acme', '--email', 'owner@acme.example', '--role', 'owner')
  const demo = await json('demo')
  expect(demo).toMatchObject({ name: 'Acme', slug: 'acme-2', sign_in: { email: 'owner@acme-2.example' } })

  const { email, password } = demo.sign_in
  const signedIn = await new Visitor(harness.baseUrl).fillIn('/account/sign-in', { email, password })
  expect(signedIn.status).toBe(303)

  const client = harness.client(demo.api_key)
  const list = async (path: string) => (await client.get(`/v1/${path}`)).body
  const { counts } = demo
  expect(await list('qr-groups')).toMatchObject({ total: counts.qr_groups })
  expect(await list('team/members')).toMatchObject({ total: 3 })
  expect(await list('article-tags')).toMatchObject({ total: 6 })
  const things = []
  for (const family of ['qr_codes', 'objects', 'products']) {
    const { total, data } = await list(`${family.replace('_', '-')}?page_size=100`)
    expect(total).toBe(counts[family])
    things.push(...data)
  }

  const pages = (await list('pages')).data
  expect(pages).toMatchObject([{ url: demo.page_url, status: 'active' }])
  expect(pages[0].languages).toEqual(LANGUAGES)
  const onPage = things.filter(({ destination }) => destination.page === pages[0].id)
  expect(onPage.map(({ object }) => object).sort()).toEqual([...Array(5).fill('object'), 'qr_code'])

  const { data: chatbots, total } = await list('chatbots')
  expect(chatbots).toMatchObject([{ url: demo.chatbot_url, status: 'active' }])
  expect(total).toBe(counts.chatbots)
  const answered = things.filter(({ destination }) => destination.chatbot === chatbots[0].id)
  expect(answered).toMatchObject([{ object: 'product', name: 'Acme One' }])

  const routes = await list('custom-domain-routes')
  expect(routes.total).toBe(counts.custom_domain_routes)
  expect(routes.data.map(({ type }: { type: string }) => type)).toEqual(['chatbot', 'page', 'kb'])

  const submissions = (await list('submissions')).data
  expect(submissions.map(({ submission_number }: { submission_number: number }) => submission_number)).toEqual(
    Array.from({ length: counts.submissions }, (_, n) => counts.submissions - n),
  )
  const receipt = await fetch(harness.baseUrl + new URL(demo.receipt_url).pathname)
  expect(await receipt.text()).toContain('The pump has to be replaced.')
  const objectIds = things.filter(({ object }) => object === 'object').map(({ id }) => id)
  for (const { object_id } of submissions) expect(objectIds).toContain(object_id)

  const { data: conversations } = await list('conversations')
  expect(conversations).toHaveLength(counts.conversations)
  expect(new Set(conversations.map(({ status }: { status: string }) => status))).toEqual(
    new Set(['bot_active', 'agent_requested', 'resolved']),
  )
  for (const { object_id, created_at } of conversations) {
    expect(objectIds).toContain(object_id)
    expect(Date.parse(created_at)).toBeLessThan(Date.now())
  }
  const { data: charges } = await list('credits/entries')
  expect(charges.filter(({ reason }: { reason: string }) => reason === 'answer')).toEqual([])

  // Every scan is counted, and within the last month.
  const scans = await selectScans(demo.id)
  expect(scans).toHaveLength(counts.scans)
  expect(counts.scans).toBeGreaterThan(2000)
  const ofPeople = scans.filter(({ is_bot }) => !is_bot)
  expect(ofPeople.length).toBeLessThan(scans.length)
  const elsewhere = things.reduce((sum, { imported }) => sum + (imported?.scans ?? 0), 0)
  expect(elsewhere).toBeGreaterThan(0)
  expect(things.reduce((sum, { total_scans }) => sum + total_scans, 0)).toBe(ofPeople.length + elsewhere)
  const [first, last] = [scans[0]?.scanned_at, scans.at(-1)?.scanned_at].map((time) => Date.parse(time ?? ''))
  expect(first).toBeGreaterThan(Date.now() - 31 * DAY_MS)
  expect(last).toBeLessThanOrEqual(Date.now())
  for (const { created_at, last_scanned_at } of things) {
    if (last_scanned_at !== null) expect(last_scanned_at > created_at).toBe(true)
  }

  const { data: entries } = await list('audit-log?limit=100')
  expect(entries.length).toBeGreaterThan(20)
  const [signIn, ...setUp] = entries
  expect(signIn.actor).toMatchObject({ type: 'person' })
  expect(setUp.filter(({ actor }: any) => actor.type !== 'command_line')).toEqual([])

  const centre = new URL(demo.help_centre_url).pathname
  const read = async (language: string) =>
    (await harness.client().get(`${centre}/${language}`, { 'accept-language': language })).text
  expect(await read('en')).toContain('Care and cleaning')
  const found = async (language: string, words: string) =>
    (await list(`articles/search?language=${language}&q=${encodeURIComponent(words)}`)).data
  await eventually(async () => (await found('en', 'descale'))?.length > 0)

  const ask = async (question: string) => (await client.post(`/v1/chatbots/${chatbots[0].id}/ask`, { question })).body
  const citedTitles = async (question: string) => (await ask(question)).citations.map(({ title }: any) => title)
  await eventually(async () => (await citedTitles('How do I descale the machine?'))[0] === 'Descale your machine')
  await eventually(async () => (await citedTitles('Wie entkalke ich die Maschine?'))[0]?.includes('entkalken'))

  // A real person joins the demo: their account is not the demo's.
  await json('user', 'create', '--org', 'acme-2', '--email', 'kim@acme.com', '--role', 'admin')
  expect(await json('demo', '--delete')).toEqual({ deleted: [{ id: demo.id, slug: 'acme-2' }] })
  await eventually(async () => (await client.get('/v1/me')).status === 401)
  expect((await json('org', 'list')).data).toEqual([real])
  expect(await selectScans(demo.id)).toEqual([])
  const { rows } = await sql<{ email: string }>`select email from users order by email`.execute(
    harness.service.database.kysely,
  )
  expect(rows.map(({ email }) => email)).toEqual(['kim@acme.com', realOwner.email])
  expect((await waymark('demo', '--delete')).stdout).toBe('There is no demo organisation.\n')
})

const selectScans = async (orgId: OrgId): Promise<{ is_bot: boolean; scanned_at: string }[]> =>
  harness.service.database.readLong
    .selectFrom('scans')
    .select(['is_bot', 'scanned_at'])
    .where('org_id', '=', orgId)
    .orderBy('id')
    .execute()
