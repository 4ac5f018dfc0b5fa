/** What happens to a form is said below its button. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { valuesOf } from '../../../../../testing/page-visitor.ts'
import { NO_PHOTO, photo, send, useForms, waitForSent, what } from './testing/form-in-browser.ts'

const visit = useForms()

/** Holds back what is sent to an address until it is let go. */
async function hold(page: Page, path: RegExp): Promise<() => void> {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(path, async (route) => {
    await held
    await route.continue()
  })
  return letGo
}

const FORM = /\/p\/[^/]+\?lang=en$/
const FILE = /\/files\?/

/** Waits until this is said, and checks that it is visible, right below the button. */
async function expectSaid(page: Page, text: string): Promise<void> {
  const status = page.getByRole('status').filter({ hasText: text })
  await status.waitFor()
  const [button, said] = await Promise.all([page.locator('button.btn').boundingBox(), status.boundingBox()])
  expect(said!.y - (button!.y + button!.height)).toBeLessThan(16)
  expect(said!.y).toBeGreaterThanOrEqual(0)
  expect(said!.y + said!.height).toBeLessThanOrEqual(page.viewportSize()!.height)
}

test('says that it is sending, and that it was sent', async () => {
  const { page, problems } = await visit()
  await what(page).fill('It leaks')
  const said: string[] = []
  await page.exposeFunction('hear', (text: string) => said.push(text))
  await page.evaluate(`{
    const status = document.querySelector('[role=status]')
    new MutationObserver(() => hear(status.textContent)).observe(status, { childList: true })
  }`)
  const letGo = await hold(page, FORM)
  await send(page)
  await expectSaid(page, 'Sending…')
  letGo()
  await waitForSent(page)
  expect(said).toEqual(['Sending…', 'Sent.'])
  expect(problems).toEqual([])
})

test('offline, says that it will be sent, and then sends it with the photo that was taken offline', async () => {
  const { page, context, received } = await visit()
  await what(page).fill('It leaks')
  await context.setOffline(true)
  await page.getByLabel('Photos').setInputFiles(await photo())
  await page.getByText('leak.jpg could not be uploaded.').waitFor()
  await send(page)
  await expectSaid(page, 'You are offline. We send it as soon as you are back.')
  await context.setOffline(false)
  await waitForSent(page)
  const stored = await received()
  expect(stored).toHaveLength(1)
  expect(valuesOf(stored[0]!)).toMatchObject({ 'What happened?': 'It leaks', Photos: [{ file_name: 'leak.jpg' }] })
})

test('while the server does not answer, says that we keep trying, until the visitor changes something', async () => {
  const { page, received } = await visit()
  await what(page).fill('It leaks')
  let isAway = true
  await page.route(FORM, (route) => (isAway ? route.fulfill({ status: 503, json: {} }) : route.continue()))
  await send(page)
  await expectSaid(page, 'Not sent yet: there is no connection to the server. We keep trying.')
  await what(page).press('End')
  await what(page).pressSequentially(' a lot')
  await page.getByRole('status').filter({ hasText: 'press the button again when you have finished' }).waitFor()
  isAway = false
  await send(page)
  await waitForSent(page)
  expect((await received()).map(valuesOf)).toMatchObject([{ 'What happened?': 'It leaks a lot' }])
})

test('a connection that returns a page of somebody else has not sent the form', async () => {
  const { page, received } = await visit()
  await what(page).fill('It leaks')
  await page.route(FORM, (route) => route.fulfill({ status: 200, contentType: 'text/html', body: 'Please sign in' }))
  await send(page)
  await expectSaid(page, 'We keep trying.')
  await page.unroute(FORM)
  await waitForSent(page)
  expect(await received()).toHaveLength(1)
})

test('waits for files that are still uploading, also in a field that needs one', async () => {
  const required = { type: 'form_media', config: { label: 'Photos', name: 'photos', required: true } }
  const { page, received } = await visit({ blocks: [required] })
  const letGo = await hold(page, FILE)
  await page.getByLabel('Photos').setInputFiles(await photo())
  await send(page)
  await expectSaid(page, 'Waiting for your files.')
  letGo()
  await waitForSent(page)
  expect((await received()).map(valuesOf)).toMatchObject([{ Photos: [{ file_name: 'leak.jpg' }] }])
})

test('does not send without a file that is refused while it waits', async () => {
  const { page, received } = await visit()
  await what(page).fill('It leaks')
  const letGo = await hold(page, FILE)
  await page.getByLabel('Photos').setInputFiles(NO_PHOTO)
  await send(page)
  await expectSaid(page, 'Waiting for your files.')
  letGo()
  await page.getByRole('link', { name: 'Photos: This type of file is not accepted here.' }).waitFor()
  expect(await page.getByRole('status').filter({ hasText: 'Not sent yet.' }).count()).toBe(1)
  expect(await received()).toEqual([])
})

test('says why the form was refused', async () => {
  const { page } = await visit()
  await what(page).fill('It leaks')
  await page.route(FORM, (route) => route.fulfill({ status: 429, json: { message: 'Too many', errors: {} } }))
  await send(page)
  await expectSaid(page, 'Too many')
  expect(await page.locator('[data-wm-message]').innerText()).toBe('')
})

test('one tap with the script is no spam', async () => {
  const stars = { type: 'form_rating', config: { label: 'How was it?', name: 'stars' } }
  const why = { type: 'form_text', config: { label: 'Why?', name: 'why' } }
  const { open, received } = await visit({ blocks: [stars, why] })
  const page = await open(0)
  await page.getByLabel('5 of 5').check()
  await page.getByLabel('Why?').fill('It is quiet')
  await send(page)
  await waitForSent(page)
  expect(await received()).toMatchObject([{ status: 'new', spam_reason: null }])
})
