import { expect, test } from 'vitest'
import { useHarness } from '../../../../testing/harness.ts'
import { useBrowser } from '../../../../testing/world/browser.ts'
import { expectGoodOnBothScreens, PHONE } from '../../../../testing/world/good-page.ts'

const harness = useHarness()
const browser = useBrowser()

test.each(['de-DE', 'ar'])('a person in %s reads all links of a product', async (locale) => {
  const acme = await harness.createTenant()
  const { id } = (await acme.post('/v1/products', { name: 'Oil', gtin: '9506000134352' })).body
  const link = (title: string, more: object = {}) => ({
    link_type: 'gs1:pip',
    url: `https://acme.com/${title}`,
    title,
    ...more,
  })
  const links = [
    link('oil', { is_default: true, language: 'en' }),
    link('الزيت', { language: 'ar' }),
    link('recall', { lot: 'L1' }),
  ]
  expect((await acme.put(`/v1/products/${id}/links`, { links })).status).toBe(200)
  const page = await browser.newPage({ ...PHONE, locale })
  await page.goto(`${harness.baseUrl}/g/${acme.slug}/01/09506000134352/10/L1?linkType=all`)
  await expectGoodOnBothScreens(page)
  expect(await page.locator('main li').count()).toBe(3)
  expect(await page.locator('html').getAttribute('dir')).toBe(locale === 'ar' ? 'rtl' : null)
  await page.close()
})
