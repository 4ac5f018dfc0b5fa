/** The life of a printed code in a phone's browser, across a restart of the service. The drills kill it. */
import { devices, type Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { useHarness } from '../../../testing/harness.ts'
import { useBrowser } from '../../../testing/world/browser.ts'
import { findFreePort } from '../../../testing/world/free-port.ts'
import { usePageServer } from '../../../testing/world/page-server.ts'
import { loadScanner, readCode } from '../../../testing/world/scanner.ts'
import { TEXTS } from './pages/texts.ts'

const port = await findFreePort()
const publicUrl = `http://localhost:${port}`
const harness = useHarness({ config: { port, appUrl: publicUrl, publicUrl } })
const PHONE = devices['Pixel 7']!

/** The destination of the code: a page that shows its path and loads nothing else. */
const site = usePageServer(({ url }, response) =>
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><title>Acme</title><link rel="icon" href="data:,"><h1>${url}</h1>`),
)
const browser = useBrowser()

beforeAll(() => loadScanner())

test('a printed code follows every change, also after a restart, and each scan is stored once', async () => {
  const client = await harness.createTenant()
  const { id, public_slug } = (
    await client.post('/v1/qr-codes', { name: 'Chair', destination: { url: `${site.origin}/care` } })
  ).body

  const image = await fetch(`${publicUrl}/v1/qr-codes/${id}/image?format=png`, {
    headers: { authorization: `Bearer ${client.apiKey}` },
  })
  const printed = (await readCode(new Uint8Array(await image.arrayBuffer())))?.text ?? ''
  expect(printed).toBe(`${publicUrl}/${public_slug}`)

  const page = await (await browser.newContext({ ...PHONE, locale: 'de-DE' })).newPage()
  const problems = collectProblems(page)
  const scan = async () => {
    await page.goto(printed)
    return { url: page.url(), heading: await page.locator('h1:visible').textContent() }
  }
  const change = (body: object) => client.patch(`/v1/qr-codes/${id}`, body)

  expect(await scan()).toEqual({ url: `${site.origin}/care`, heading: '/care' })

  await change({ destination: { url: `${site.origin}/recall` } })
  expect(await scan()).toEqual({ url: `${site.origin}/recall`, heading: '/recall' })

  await change({ status: 'inactive' })
  expect(await scan()).toEqual({ url: printed, heading: TEXTS.de.paused.title })
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.viewport.width)

  await harness.restart()
  expect(await scan()).toEqual({ url: printed, heading: TEXTS.de.paused.title })

  await change({ status: 'active' })
  expect(await scan()).toEqual({ url: `${site.origin}/recall`, heading: '/recall' })

  expect(problems).toEqual([])
  const phone = { is_bot: false, device: { type: 'mobile', os: 'Android', browser: 'Chrome' } }
  const destinations = [`${site.origin}/recall`, null, null, `${site.origin}/recall`, `${site.origin}/care`]
  const { data, next_cursor } = (await client.get(`/v1/qr-codes/${id}/scans`)).body
  expect(next_cursor).toBeNull()
  expect(data).toHaveLength(destinations.length)
  for (const [index, url] of destinations.entries()) {
    expect(data[index]).toMatchObject({ ...phone, destination: { url } })
  }
  expect((await client.get(`/v1/qr-codes/${id}`)).body.total_scans).toBe(destinations.length)
})

test('a damaged product code is opened by typing the number under the barcode', async () => {
  const client = await harness.createTenant()
  await client.post('/v1/products', { name: 'Oil', gtin: '9506000134352', destination: { url: `${site.origin}/care` } })
  const page = await (await browser.newContext({ ...PHONE, locale: 'de-DE' })).newPage()
  const problems = collectProblems(page)
  await page.goto(`${publicUrl}/g/${client.slug}/01/950600013`)
  await page.getByLabel(TEXTS.de.malformed.number).fill('9 506000 134352')
  await page.getByRole('button', { name: TEXTS.de.malformed.open }).click()
  await page.waitForURL(`${site.origin}/care`)
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([])
})

/** Collects errors and console messages of the page. */
function collectProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (line) => problems.push(line.text()))
  return problems
}
