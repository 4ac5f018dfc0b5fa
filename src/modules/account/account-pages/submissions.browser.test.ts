import sharp from 'sharp'
import { expect, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { useReceivingHarness } from '../../../testing/harness.ts'
import { useBrowser } from '../../../testing/world/browser.ts'
import { expectGoodPage } from '../../../testing/world/good-page.ts'

const { harness, receiver } = await useReceivingHarness()
const browser = useBrowser()

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-GB' }

test('a visitor reports a fault with a photo, a system receives it, and a technician resolves it from a phone', async () => {
  const acme = await harness.createTenant()
  await harness.subscribe(acme, ['page.submission.created'], { url: receiver.url('/faults') })
  const template = { title: 'Report a fault', template: 'fault-report', status: 'active' }
  const page = (await acme.post('/v1/pages', template)).body
  const machine = { type: 'machine', name: 'Press 7', destination: { page: page.id } }
  const object = (await acme.post('/v1/objects', machine)).body

  const visitor = await (await browser.newContext(PHONE)).newPage()
  await visitor.goto(`${harness.baseUrl}/o/${object.public_slug}`)
  expect(await visitor.locator('body').innerText()).toContain('Press 7')
  const photo = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#0f766e' } })
    .jpeg()
    .toBuffer()
  await visitor.locator('textarea').first().fill('The belt is loose. Der Riemen ist locker. 🛠️')
  await visitor
    .locator('input[type=file][name]')
    .setInputFiles({ name: 'belt.jpg', mimeType: 'image/jpeg', buffer: photo })
  for (const input of await visitor.locator('input[required]:not([type=file]):visible').all()) {
    const type = await input.getAttribute('type')
    if (type === 'radio' || type === 'checkbox') await input.check()
    else await input.fill(type === 'email' ? 'visitor@acme.example' : 'Kim')
  }
  for (const select of await visitor.locator('select[required]:visible').all()) await select.selectOption({ index: 1 })
  // The form suspects those who send it within two seconds.
  harness.advance(5000)
  await visitor.locator('form button[type=submit], form button:not([type])').last().click()
  await eventually(async () => (await visitor.locator('textarea').count()) === 0)

  const delivered = await eventually(() => receiver.at('/faults')[0])
  const sent = JSON.parse(delivered.body)
  expect(sent).toMatchObject({ object: 'submission', submission_number: 1, status: 'new', object_id: object.id })

  const technician = await harness.createPerson(acme, 'agent')
  const context = await browser.newContext(PHONE)
  await context.addCookies([{ name: 'waymark_session', value: technician.token, url: harness.baseUrl }])
  const phone = await context.newPage()
  await phone.goto(`${harness.baseUrl}/account/submissions`)
  await expectGoodPage(phone)
  await phone.getByRole('link', { name: /No\. 1/ }).click()
  await expectGoodPage(phone)
  const text = await phone.locator('main').innerText()
  expect(text).toContain('Press 7')
  expect(text).toContain('The belt is loose. Der Riemen ist locker. 🛠️')
  const image = phone.locator('.answers img')
  await eventually(() => image.evaluate((shown) => (shown as unknown as { naturalWidth: number }).naturalWidth > 0))
  await phone.getByRole('button', { name: 'Resolved' }).click()
  await phone.getByText('Saved.').waitFor()
  const resolved = (await acme.get(`/v1/submissions/${sent.id}`)).body
  expect(resolved).toMatchObject({ status: 'resolved', resolved_by: technician.userId })
})
