import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useMailingHarness } from '../../../testing/harness.ts'
import { useBrowser } from '../../../testing/world/browser.ts'
import { expectGoodOnBothScreens, PHONE } from '../../../testing/world/good-page.ts'
import { createLink } from '../one-time-links/index.ts'

const { harness, smtp } = await useMailingHarness()
const browser = useBrowser()

const PASSWORD = 'lamp river seven'

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

test('an owner signs up, invites an agent and creates a key; the agent joins and sees less', async () => {
  const acme = await harness.createTenant()
  const token = await harness.service.database.write((tx) =>
    createLink(tx, 'set_up', { orgId: acme.orgId }, timestamp(harness.nowMs())),
  )
  const { page, problems } = await openPage(await browser.newContext({ ...PHONE, locale: 'en-GB' }))
  await page.goto(`${harness.baseUrl}/`)
  await expectGoodOnBothScreens(page)
  await page.goto(`${harness.baseUrl}/account/set-up?token=${token}`)
  await expectGoodOnBothScreens(page)
  await page.getByLabel('Email address').fill('owner@acme.com')
  await page.getByLabel('First name').fill('Kim')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/account')
  await expectGoodOnBothScreens(page)

  await page.getByRole('link', { name: 'Team' }).click()
  await page.getByLabel('Email address').fill('agent@acme.com')
  await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Agent' })
  await page.getByRole('button', { name: 'Create invitation' }).click()
  const { path } = await eventually(() => smtp.to('agent@acme.com')[0])
  await expectGoodOnBothScreens(page)

  await page.getByRole('link', { name: 'API keys' }).click()
  await expectGoodOnBothScreens(page)
  await page.getByLabel('What the key is for').fill('Warehouse')
  await page.getByLabel('Valid for').selectOption({ label: '1 year' })
  await page.getByRole('group', { name: 'Team' }).getByLabel('View', { exact: true }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Create a key' }).click()
  const key = await page.locator('.secret').innerText()
  expect((await harness.client(key).get('/v1/me')).body.api_key.name).toBe('Warehouse')
  await expectGoodOnBothScreens(page)
  await page.reload()
  expect(await page.locator('.secret').count(), 'the key is shown once').toBeLessThanOrEqual(1)

  const agent = await openPage(await browser.newContext({ ...PHONE, locale: 'en-GB' }))
  await agent.page.goto(harness.baseUrl + path)
  await expectGoodOnBothScreens(agent.page)
  await agent.page.getByLabel('Password').fill('boat orange nine')
  await agent.page.getByRole('button', { name: 'Join' }).click()
  await agent.page.waitForURL('**/account')
  expect(await agent.page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
  await agent.page.getByRole('link', { name: 'Team' }).click()
  await expectGoodOnBothScreens(agent.page)
  expect(await agent.page.getByRole('button', { name: 'Remove' }).count()).toBe(0)
  await agent.page.getByRole('button', { name: 'Sign out' }).click()
  await agent.page.getByRole('link', { name: 'Sign in' }).click()
  await agent.page.getByLabel('Email address').fill('agent@acme.com')
  await agent.page.getByLabel('Password').fill('boat orange nine')
  await agent.page.getByRole('button', { name: 'Sign in' }).click()
  await agent.page.waitForURL('**/account')

  await agent.page.getByLabel('New email address').fill('agent-new@acme.com')
  await agent.page.getByLabel('Current password').first().fill('boat orange nine')
  await agent.page.getByRole('button', { name: 'Send link' }).click()
  await expectGoodOnBothScreens(agent.page)
  const change = await eventually(() => smtp.to('agent-new@acme.com')[0])
  await agent.page.goto(harness.baseUrl + change.path)
  await expectGoodOnBothScreens(agent.page)
  await agent.page.getByRole('button', { name: 'Confirm' }).click()
  await expectGoodOnBothScreens(agent.page)
  await agent.page.getByRole('button', { name: 'Sign out' }).click()

  await agent.page.getByRole('link', { name: 'Sign in' }).click()
  await agent.page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expectGoodOnBothScreens(agent.page)
  await agent.page.getByLabel('Email address').fill('agent-new@acme.com')
  await agent.page.getByRole('button', { name: 'Send link' }).click()
  await expectGoodOnBothScreens(agent.page)
  const reset = await eventually(() => smtp.to('agent-new@acme.com')[1])
  await agent.page.goto(harness.baseUrl + reset.path)
  await expectGoodOnBothScreens(agent.page)
  await agent.page.getByLabel('New password').fill('tree purple eleven')
  await agent.page.getByRole('button', { name: 'Save' }).click()
  await agent.page.waitForURL('**/account')
  expect([...problems, ...agent.problems]).toEqual([])
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
