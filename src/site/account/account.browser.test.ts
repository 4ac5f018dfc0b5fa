import axe from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createLink } from '../../modules/account/one-time-links/index.ts'
import { timestamp } from '../../platform/clock/index.ts'
import { useHarness } from '../../testing/harness.ts'
import { useBrowser } from '../../testing/world/browser.ts'

const harness = useHarness()
const browser = useBrowser()

/** axe checks every page, possibly on a busy machine. */
const PATIENT = { timeout: 120_000 }
const TARGET_PX_MIN = 44
const PASSWORD = 'lamp river seven'

const SCREENS = [
  { width: 1200, height: 800, colorScheme: 'light' },
  { width: 360, height: 740, colorScheme: 'dark' },
] as const

async function expectGoodPage(page: Page): Promise<void> {
  // Scripts are not allowed on these pages. This one runs outside of the page's own world.
  const { violations } = (await page.evaluate(`${axe.source}; axe.run()`)) as axe.AxeResults
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width, `${page.url()} overflows`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
  for (const target of await page.locator('button, .button, input:not([type=hidden]), select').all()) {
    const box = await target.boundingBox()
    expect(box?.height, await target.innerText()).toBeGreaterThanOrEqual(TARGET_PX_MIN)
  }
}

/** Opens a page and collects what the browser complains about, and requests to elsewhere. */
async function openPage(context: BrowserContext): Promise<{ page: Page; problems: string[] }> {
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (line) => problems.push(line.text()))
  page.on('request', (request) => {
    if (!request.url().startsWith(harness.baseUrl)) problems.push(request.url())
  })
  return { page, problems }
}

describe.each(SCREENS)('at $width px in $colorScheme mode', ({ width, height, colorScheme }) => {
  const newContext = () =>
    browser.newContext({ viewport: { width, height }, colorScheme, locale: 'en-GB', javaScriptEnabled: true })

  test('an owner signs up, invites an agent and creates a key; the agent joins and sees less', PATIENT, async () => {
    const acme = await harness.createTenant()
    const token = await harness.service.database.write((tx) =>
      createLink(tx, 'set_up', { orgId: acme.orgId }, timestamp(harness.nowMs())),
    )
    const { page, problems } = await openPage(await newContext())
    await page.goto(`${harness.baseUrl}/`)
    await expectGoodPage(page)
    await page.goto(`${harness.baseUrl}/account/set-up?token=${token}`)
    await expectGoodPage(page)
    await page.getByLabel('Email address').fill(`owner-${width}@acme.com`)
    await page.getByLabel('First name').fill('Kim')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/account')
    await expectGoodPage(page)

    await page.getByRole('link', { name: 'Team' }).click()
    await page.getByLabel('Email address').fill(`agent-${width}@acme.com`)
    await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Agent' })
    await page.getByRole('button', { name: 'Create invitation' }).click()
    const link = (await page.locator('.secret').innerText()).replaceAll(/\s/g, '')
    await expectGoodPage(page)

    await page.getByRole('link', { name: 'API keys' }).click()
    await expectGoodPage(page)
    await page.getByLabel('What the key is for').fill('Warehouse')
    await page.getByLabel('Valid for').selectOption({ label: '1 year' })
    await page.getByRole('group', { name: 'Team' }).getByLabel('View', { exact: true }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const key = await page.locator('.secret').innerText()
    expect((await harness.client(key).get('/v1/me')).body.api_key.name).toBe('Warehouse')
    await expectGoodPage(page)
    await page.reload()
    expect(await page.locator('.secret').count(), 'the key is shown once').toBeLessThanOrEqual(1)

    const agent = await openPage(await newContext())
    await agent.page.goto(link.replace('http://localhost:8080', harness.baseUrl))
    await expectGoodPage(agent.page)
    await agent.page.getByLabel('Password').fill('boat orange nine')
    await agent.page.getByRole('button', { name: 'Join' }).click()
    await agent.page.waitForURL('**/account')
    expect(await agent.page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
    await agent.page.getByRole('link', { name: 'Team' }).click()
    await expectGoodPage(agent.page)
    expect(await agent.page.getByRole('button', { name: 'Remove' }).count()).toBe(0)
    await agent.page.getByRole('button', { name: 'Sign out' }).click()
    await agent.page.getByRole('link', { name: 'Sign in' }).click()
    await agent.page.getByLabel('Email address').fill(`agent-${width}@acme.com`)
    await agent.page.getByLabel('Password').fill('boat orange nine')
    await agent.page.getByRole('button', { name: 'Sign in' }).click()
    await agent.page.waitForURL('**/account')
    expect([...problems, ...agent.problems]).toEqual([])
  })
})

test('everything works without scripts', async () => {
  const acme = await harness.createTenant()
  const token = await harness.service.database.write((tx) =>
    createLink(tx, 'set_up', { orgId: acme.orgId }, timestamp(harness.nowMs())),
  )
  const { page } = await openPage(await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' }))
  await page.goto(`${harness.baseUrl}/account/set-up?token=${token}`)
  await page.getByLabel('Email address').fill('without-scripts@acme.com')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button').click()
  await page.waitForURL('**/account')
})
