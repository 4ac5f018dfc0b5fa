import { afterAll, expect, test } from 'vitest'
import { useHarness } from '../../../../../testing/harness.ts'
import { useBrowser } from '../../../../../testing/world/browser.ts'
import { DnsZone } from '../../../../../testing/world/dns-zone.ts'
import { expectGoodPage } from '../../../../../testing/world/good-page.ts'

const zone = await DnsZone.start()
afterAll(() => zone.close())
const harness = useHarness({
  role: 'api',
  config: {
    domainTargets: { a: [], aaaa: [], cname: 'go.waymark.example' },
    outbound: { ports: [443], devAllow: [], dnsServers: [zone.address] },
  },
})
const browser = useBrowser()

/** A manager who is signed in, in a new window. */
async function openWindow(options: Parameters<typeof browser.newContext>[0]) {
  const manager = await harness.createPerson(await harness.createTenant(), 'manager')
  const context = await browser.newContext(options)
  await context.addCookies([{ name: 'waymark_session', value: manager.token, url: harness.baseUrl }])
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (line) => problems.push(line.text()))
  await page.goto(`${harness.baseUrl}/account/domains`)
  return { context, page, problems }
}

test('a manager connects a domain by keyboard, copies its records and sees what DNS has', async () => {
  const { context, page, problems } = await openWindow({ viewport: { width: 1200, height: 800 }, locale: 'en-GB' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await expectGoodPage(page)
  await page.getByLabel('Domain').fill('id.acme.com')
  await page.keyboard.press('Enter')
  await page.getByText('waiting for DNS records').waitFor()
  await expectGoodPage(page)

  const records = []
  for (const item of await page.locator('.records > li').all()) {
    const [type = ''] = (await item.locator('h3').innerText()).split(' ')
    const copied: string[] = []
    for (const button of await item.getByRole('button', { name: 'Copy' }).all()) {
      await button.focus()
      await page.keyboard.press('Enter')
      await item.getByText('Copied').waitFor()
      copied.push((await page.evaluate('navigator.clipboard.readText()')) as string)
    }
    const [domain = '', value = ''] = copied
    records.push({ type, domain, value })
  }
  zone.prove(records.slice(0, 1))
  zone.set('id.acme.com', 'CNAME', 'shops.elsewhere.example')
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Some DNS records are not correct yet').waitFor()
  const wrong = await page.locator('.records > li').last().innerText()
  expect(wrong).toContain('go.waymark.example')
  expect(wrong).toContain('shops.elsewhere.example')
  await expectGoodPage(page)

  zone.prove(records)
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('All DNS records are correct.').waitFor()
  await expectGoodPage(page)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Disconnect the domain' }).click()
  await page.getByText('No domains are connected yet.').waitFor()
  expect(problems).toEqual([])
})

test('everything works on a phone without the script: one tap selects a value', async () => {
  const viewport = { width: 360, height: 740 }
  const { context, page } = await openWindow({ viewport, colorScheme: 'dark', locale: 'de-DE' })
  // Not by turning scripts off: axe needs them.
  await context.route('**/*.js*', (request) => request.abort())
  await expectGoodPage(page)
  await page.getByLabel('Domain').fill('waren.acme.example')
  await page.getByRole('button', { name: 'Domain verbinden' }).click()
  await page.getByRole('heading', { name: 'DNS-Einträge' }).waitFor()
  await expectGoodPage(page)
  expect(await page.getByRole('button', { name: /kopieren/i }).count()).toBe(0)
  const value = page.locator('.copyable').nth(1)
  await value.click()
  expect(await page.evaluate('getSelection().toString()')).toBe(await value.innerText())
  await page.getByRole('button', { name: 'Jetzt prüfen' }).click()
  await page.getByText('Einige DNS-Einträge stimmen noch nicht.').waitFor()
  await expectGoodPage(page)
})
