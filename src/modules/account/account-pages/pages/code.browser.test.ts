import { expect, test } from 'vitest'
import { useHarness } from '../../../../testing/harness.ts'
import { useBrowser } from '../../../../testing/world/browser.ts'
import { findFreePort } from '../../../../testing/world/free-port.ts'
import { expectGoodOnBothScreens, PHONE } from '../../../../testing/world/good-page.ts'

const port = await findFreePort()
const url = `http://localhost:${port}`
const harness = useHarness({ config: { port, appUrl: url, publicUrl: url } })
const browser = useBrowser()

test('an owner scans a new code with a phone, sets it up there, and the next scan follows', async () => {
  const acme = await harness.createTenant()
  const { public_slug } = (await acme.post('/v1/qr-codes', { name: 'Front door' })).body
  const { token } = await harness.createPerson(acme, 'owner')
  const context = await browser.newContext({ ...PHONE, locale: 'ar' })
  await context.addCookies([{ name: 'waymark_session', value: token, url }])
  const page = await context.newPage()
  await page.goto(`${url}/${public_slug}`)
  await expectGoodOnBothScreens(page)
  await page.locator('.outlined:visible').click()
  await page.waitForURL('**/account/code/qr_code/*')
  await expectGoodOnBothScreens(page)
  await page.locator('[name=url]').fill(`${url}/docs`)
  await page.locator('main form button').click()
  await page.waitForURL('**?saved')
  expect(await page.getByRole('status').isVisible()).toBe(true)
  await page.goto(`${url}/${public_slug}`)
  expect(page.url()).toMatch(/\/docs/)
  await context.close()
})
