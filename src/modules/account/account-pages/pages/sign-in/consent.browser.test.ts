import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Client } from '../../../../../testing/client.ts'
import { type Person, useHarness } from '../../../../../testing/harness.ts'
import { OAuthApplication } from '../../../../../testing/oauth-application.ts'
import { useBrowser } from '../../../../../testing/world/browser.ts'
import { findFreePort } from '../../../../../testing/world/free-port.ts'
import { expectGoodOnBothScreens, PHONE } from '../../../../../testing/world/good-page.ts'
import { usePageServer } from '../../../../../testing/world/page-server.ts'
import { getRole } from '../../../roles/index.ts'

const port = await findFreePort()
const appUrl = `http://127.0.0.1:${port}`
const harness = useHarness({ config: { port, appUrl } })
const browser = useBrowser()
/** Another site. Its page says where the person has come to. */
const application = usePageServer((_request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>Acme Sync</title><p>Welcome back')
})

async function signedIn(page: Page, { token }: Person): Promise<void> {
  await page.context().addCookies([{ name: 'waymark_session', value: token, url: appUrl }])
}

test('a person connects an application in one of their organisations, and disconnects it', async () => {
  const app = await OAuthApplication.register(appUrl, 'Acme Sync 🏷️', `${application.origin}/callback`)
  const [acme, second] = [await harness.createTenant(), await harness.createTenant()]
  const person = await harness.createPerson(acme, 'agent')
  const invitation = await second.post('/v1/team/invitations', {
    email: person.email,
    role_id: getRole('manager').id,
  })
  const page = await browser.newPage({ ...PHONE, locale: 'en-GB' })
  const problems: string[] = []
  page.on('console', (line) => problems.push(line.text()))
  await signedIn(page, person)
  await page.goto(`${appUrl}/account/invitation?token=${invitation.body.token}`)
  await page.getByRole('button', { name: 'Join' }).click()

  const asked = await app.ask('qr.manage articles.view conversations.manage team.manage')
  await page.goto(asked.url.href)
  await expectGoodOnBothScreens(page)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Connect Acme Sync 🏷️?')
  await page.getByLabel('Organisation').selectOption({ value: acme.orgId })
  await page.getByRole('button', { name: 'Choose' }).click()
  await expectGoodOnBothScreens(page)
  expect(await page.getByRole('heading', { name: 'Your role does not include' }).count()).toBe(1)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${application.origin}/callback?**`)
  expect(await page.getByText('Welcome back').count()).toBe(1)
  const tokens = await app.exchange(asked, new URL(page.url()))
  const api = new Client(appUrl, tokens.access_token)
  expect((await api.get('/v1/me')).body.org.id).toBe(acme.orgId)

  await page.goto(`${appUrl}/account`)
  await page.getByRole('button', { name: 'Switch to this organisation' }).click()
  await page.getByRole('link', { name: 'Connected applications' }).click()
  await page.getByText('What it may do').click()
  await expectGoodOnBothScreens(page)
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('No applications are connected.').waitFor()
  await expectGoodOnBothScreens(page)
  harness.advance(1000)
  expect((await api.get('/v1/me')).status).toBe(401)
  expect(problems).toEqual([])
})

test('a person who denies goes back, and a request that does not work is explained', async () => {
  const app = await OAuthApplication.register(appUrl, 'Acme Sync', `${application.origin}/callback`)
  const page = await browser.newPage({ locale: 'en-GB', javaScriptEnabled: false })
  await signedIn(page, await harness.createPerson(await harness.createTenant(), 'owner'))
  await page.goto((await app.ask('qr.view')).url.href)
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL(/error=access_denied/)
  const { url } = await app.ask('qr.view', { redirect_uri: 'https://evil.example/' })
  await page.goto(url.href)
  await page.getByText('This request does not work').first().waitFor()
  expect(page.url()).toBe(url.href)
})
