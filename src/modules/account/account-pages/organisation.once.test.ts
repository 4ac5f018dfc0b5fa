import { expect, test } from 'vitest'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { Visitor } from '../../../testing/visitor.ts'
import type { RoleName } from '../roles/index.ts'

const harness = useHarness()

const PATH = '/account/organisation'
const FIELDS = { name: 'Acme Tools', default_language: 'de', time_zone: 'Europe/Berlin', logo_url: '' }

/** The browser of a member with this role. */
async function visitAs(tenant: Tenant, role: RoleName): Promise<Visitor> {
  const browser = new Visitor(harness.baseUrl, { 'accept-language': 'en' })
  browser.cookies.set('waymark_session', (await harness.createPerson(tenant, role)).token)
  return browser
}

test('is changed by an owner, and what is wrong is said beside the field', async () => {
  const acme = await harness.createTenant()
  const browser = await visitAs(acme, 'owner')
  const page = await browser.open(PATH)
  expect(page.text).toContain(`value="${acme.slug}"`)
  const wrong = await browser.send(PATH, { ...FIELDS, slug: 'account' })
  expect(wrong.status).toBe(400)
  expect(wrong.text).toContain('This word is part of our own addresses.')
  expect(wrong.text, 'what was typed is kept').toContain('value="Acme Tools"')
  expect(await browser.send(PATH, { ...FIELDS, slug: acme.slug })).toMatchObject({ location: `${PATH}?saved` })
  expect((await acme.get('/v1/organisation')).body).toMatchObject({ ...FIELDS, logo_url: null })
})

test('is deleted in 30 days if the owner types its short name, unless an owner changes their mind', async () => {
  const acme = await harness.createTenant()
  const browser = await visitAs(acme, 'owner')
  const deletesAt = async () => (await acme.get('/v1/organisation')).body.deletes_at
  await browser.open(PATH)
  const wrong = await browser.send(`${PATH}/delete`, { confirmed_slug: 'nonsense' })
  expect(wrong).toMatchObject({ status: 400, text: expect.stringContaining('aria-invalid="true"') })
  expect(await deletesAt()).toBeNull()
  expect(await browser.send(`${PATH}/delete`, { confirmed_slug: acme.slug })).toMatchObject({ location: PATH })
  expect(await deletesAt()).not.toBeNull()
  expect((await browser.open(PATH)).text).toContain('will be deleted on')
  await browser.send(`${PATH}/delete`, { keep: '1' })
  expect(await deletesAt()).toBeNull()
})

test('an admin cannot delete it, and a member sees none of it', async () => {
  const acme = await harness.createTenant()
  const admin = await (await visitAs(acme, 'admin')).open(PATH)
  expect(admin.status).toBe(200)
  expect(admin.text).not.toContain('/account/organisation/delete')
  expect((await (await visitAs(acme, 'member')).open(PATH)).status).toBe(403)
})
