/** Many visitors together cannot send more than a page and an organisation may receive, and none of them loses a text. */
import { expect, test } from 'vitest'
import { SECOND_MS } from '../../../../platform/clock/index.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import { createPage, FIELDS, PageVisitor, PHOTOS, submissionsOf, tokensIn } from '../../../../testing/page-visitor.ts'
import { TEXTS } from '../texts.ts'

const FORMS_PER_MINUTE = 3
const harness = useHarness({ config: { trustProxy: '127.0.0.1', formsPerMinute: FORMS_PER_MINUTE } })

const createForm = (tenant: Tenant) => createPage(tenant, [...FIELDS, PHOTOS], { proof_of_work: 'never' })

/** Each from an address of its own. */
async function fill(page: { public_slug: string }, visitors = FORMS_PER_MINUTE): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < visitors; n++) statuses.push((await send(page, `Form ${n}`)).status)
  return statuses
}

const send = (page: { public_slug: string }, what: string) =>
  new PageVisitor(harness, page).send({ what, where: 'b', email: 'kim@acme.example' })

async function expectRefused(page: { public_slug: string }): Promise<number> {
  const refused = await send(page, 'One more <b>')
  const retryAfter = Number(refused.headers.get('retry-after'))
  expect(retryAfter).toBeGreaterThan(0)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(refused.headers.get('cache-control')).toBe('no-store')
  expect(refused.text).toContain(`<p>${TEXTS.en.form.tooMany}</p>`)
  expect(refused.text).toContain('One more &lt;b&gt;</textarea>')
  expect(refused.text).toContain('value="kim@acme.example"')
  expect(refused.text).toMatch(/value="b" [^>]*checked/)
  expect(refused.text).not.toMatch(/value="a" [^>]*checked/)
  // With this key, sending it again, as often as it takes, makes one submission.
  expect(refused.text).toMatch(/name="_wm_key" value="\w{22}"/)
  const byScript = await new PageVisitor(harness, page).sendByScript({ what: 'One more' })
  expect(byScript).toMatchObject({ status: 429, json: { message: TEXTS.en.form.tooMany, errors: {} } })
  expect(byScript.headers.get('retry-after')).not.toBeNull()
  return retryAfter
}

test('a page that gets too many forms refuses more, stores none of them, and other pages go on', async () => {
  const acme = await harness.createTenant()
  const [page, another] = [await createForm(acme), await createForm(acme)]
  expect(await fill(page)).toEqual([303, 303, 303])
  const retryAfter = await expectRefused(page)
  expect(await submissionsOf(harness, acme, page)).toHaveLength(FORMS_PER_MINUTE)
  expect((await send(another, 'Elsewhere')).status).toBe(303)
  harness.advance(retryAfter * SECOND_MS)
  expect((await send(page, 'One more <b>')).status).toBe(303)
  expect(await submissionsOf(harness, acme, page)).toHaveLength(FORMS_PER_MINUTE + 1)
})

test('an organisation whose pages get too many forms together refuses more, and another one goes on', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const pages = [await createForm(acme), await createForm(acme)]
  for (const page of pages) expect(await fill(page)).toEqual([303, 303, 303])
  const third = await createForm(acme)
  const retryAfter = await expectRefused(third)
  expect(await submissionsOf(harness, acme, third)).toEqual([])
  expect((await send(await createForm(other), 'Elsewhere')).status).toBe(303)
  harness.advance(retryAfter * SECOND_MS)
  expect((await send(third, 'One more <b>')).status).toBe(303)
})

test('files of a form beyond the limit are not kept, and what was typed with them is', async () => {
  const acme = await harness.createTenant()
  const page = await createForm(acme)
  await fill(page)
  const pdf = Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF')
  const refused = await new PageVisitor(harness, page).sendFiles({ what: 'With a file' }, [['photos', pdf, 'a.pdf']])
  expect([refused.status, tokensIn(refused.text)]).toEqual([429, []])
  expect(refused.text).toContain('With a file</textarea>')
  const { kysely } = harness.service.database
  expect(await kysely.selectFrom('assets').select('id').where('org_id', '=', acme.orgId).execute()).toEqual([])
  expect(await submissionsOf(harness, acme, page)).toHaveLength(FORMS_PER_MINUTE)
})
