import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { MINUTE_MS, timestamp } from '../../../platform/clock/index.ts'
import { useHarness } from '../../../testing/harness.ts'
import { useBrowser } from '../../../testing/world/browser.ts'
import { expectGoodOnBothScreens, PHONE } from '../../../testing/world/good-page.ts'
import { codeAt } from '../factors/totp.ts'
import { createLink } from '../one-time-links/index.ts'

const harness = useHarness()
const browser = useBrowser()

const PASSWORD = 'lamp river seven'

/** Passkeys need a host with a name. */
const at = (path: string) => harness.baseUrl.replace('127.0.0.1', 'localhost') + path

/** Opens a page in a browser that has a device for passkeys, and collects what the browser complains about. */
async function openPage(context: BrowserContext): Promise<{ page: Page; problems: string[]; failures: string[] }> {
  const page = await context.newPage()
  const problems: string[] = []
  const failures: string[] = []
  page.on('console', (line) => (/status of 4\d\d/.test(line.text()) ? failures : problems).push(line.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  const devices = await context.newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { page, problems, failures }
}

async function signUp(page: Page, email: string): Promise<void> {
  const { orgId } = await harness.createTenant()
  const now = timestamp(harness.nowMs())
  const token = await harness.service.database.write((tx) => createLink(tx, 'set_up', { orgId }, now))
  await page.goto(at(`/account/set-up?token=${token}`))
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/account')
}

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.goto(at('/account/sign-in'))
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a passkey is added, is a second factor, signs in alone and confirms who the person is', async () => {
  const email = 'passkey@acme.com'
  const { page, problems, failures } = await openPage(await browser.newContext({ ...PHONE, locale: 'en-GB' }))
  await signUp(page, email)
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill('Work phone')
  await expectGoodOnBothScreens(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  expect(await page.locator('.codes li').count()).toBe(10)
  await expectGoodOnBothScreens(page)
  await page.getByRole('link', { name: 'I have stored the codes' }).click()
  await page.getByText('Work phone').waitFor()
  await expectGoodOnBothScreens(page)

  await enterPassword(page, email)
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await expectGoodOnBothScreens(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL('**/account')

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expectGoodOnBothScreens(page)
  await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('**/account')

  harness.advance(10 * MINUTE_MS)
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByLabel('What the key is for').fill('Warehouse')
  await page.getByRole('button', { name: 'Create a key' }).click()
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
  await expectGoodOnBothScreens(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  expect(await page.locator('.secret').innerText()).toMatch(/^wm_live_/)
  expect(problems).toEqual([])
  expect(failures, 'only the form that had to wait').toHaveLength(1)
})

test('an authenticator app is added from its QR code page and used to sign in', async () => {
  const email = 'app@acme.com'
  const { page, problems } = await openPage(await browser.newContext({ ...PHONE, locale: 'en-GB' }))
  await signUp(page, email)
  await page.getByRole('link', { name: 'Add an authenticator app' }).click()
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  await expectGoodOnBothScreens(page)
  const seed = (await page.locator('.secret').innerText()).replaceAll(/\s/g, '')
  await page.getByLabel('Six digits from the app').fill(codeAt(seed, harness.nowMs()))
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const recoveryCode = await page.locator('.codes li').first().innerText()
  await page.getByRole('link', { name: 'I have stored the codes' }).click()
  await enterPassword(page, email)
  await page.getByLabel('Code').fill(recoveryCode)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/account')
  await page.getByText('Recovery codes left: 9').waitFor()
  expect(problems).toEqual([])
})

test('a device without a passkey for this site says so, and the page offers the password', async () => {
  const { page } = await openPage(await browser.newContext({ ...PHONE, locale: 'en-GB' }))
  await page.goto(at('/account/sign-in/passkey'))
  await page.getByText('The passkey did not work').waitFor()
  await expectGoodOnBothScreens(page)
  await page.getByRole('link', { name: 'Sign in with a password' }).click()
  await page.getByLabel('Password').waitFor()
})

test('without scripts, a passkey page says why it does not work', async () => {
  const page = await (await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' })).newPage()
  await page.goto(at('/account/sign-in/passkey'))
  await page.getByText('Passkeys do not work in this browser').waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
})
