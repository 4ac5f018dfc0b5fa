import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../../../../testing/eventually.ts'
import { valuesOf } from '../../../../../testing/page-visitor.ts'
import { violationsOf } from '../../../../../testing/world/accessibility.ts'
import { photo, said, send, useForms, waitForSent, what } from './testing/form-in-browser.ts'

const visit = useForms()

/** The page has no barriers, fits the screen, and its buttons can be hit by a finger. */
async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  for (const button of await page.locator('button').all()) {
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  }
}

test('without scripts, a form is filled in, corrected and sent with its photo', async () => {
  const { page, received, problems } = await visit({ javaScriptEnabled: false })
  await page.getByLabel('Email').fill('kim@acme.example')
  await page.getByLabel('Photos').setInputFiles(await photo())
  // Browsers without our checks, or with others, send it all the same.
  await what(page).fill(' ')
  await send(page)
  await page.getByText('Please check these fields').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe('kim@acme.example')
  expect(await page.getByLabel('Keep leak.jpg').isChecked()).toBe(true)
  await what(page).fill('It leaks')
  await send(page)
  await waitForSent(page)
  const [submission] = await received()
  expect(submission).toMatchObject({ status: 'new' })
  expect(valuesOf(submission!)).toMatchObject({ 'What happened?': 'It leaks', Photos: [{ file_name: 'leak.jpg' }] })
  expect(problems.filter((text) => !text.includes('422'))).toEqual([])
})

describe('with the script', () => {
  test('problems are shown at their fields at once, and the page stays accessible', async () => {
    const { page, received, problems } = await visit()
    await page.getByLabel('Email').fill('kim')
    await page.getByLabel('Email').blur()
    await said(page, 'Please enter an email address').waitFor()
    await send(page)
    await said(page, 'Please fill in this field.').waitFor()
    await expectAccessible(page)
    await what(page).fill('It leaks')
    await page.getByLabel('Email').fill('kim@acme.example')
    await send(page)
    await waitForSent(page)
    expect(valuesOf((await received())[0]!)).toMatchObject({ Email: 'kim@acme.example' })
    expect(problems).toEqual([])
  })

  test('problems are in the language of the interface, if there is none in that of the page', async () => {
    const { page, received, problems } = await visit({ locale: 'pl-PL' }, { default_language: 'he' })
    await what(page).fill('ab'.repeat(50))
    await page.getByLabel('Photos').setInputFiles([await photo('1.jpg'), await photo('2.jpg'), await photo('3.jpg')])
    await page.locator('[lang=pl] > .on', { hasText: 'Wybierz najwyżej 2 pliki.' }).waitFor()
    await page.locator('[data-wm-name="2.jpg"]').waitFor({ state: 'attached' })
    await expectAccessible(page)
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    await page.locator('button.btn').click()
    await page.waitForURL('**/sent?lang=he*')
    expect(await received()).toHaveLength(1)
    expect(problems).toEqual([])
  })

  test('what was typed survives a closed tab, and is forgotten once it was sent', async () => {
    const { page, open, received } = await visit()
    await what(page).fill('It leaks\nagain')
    await page.getByLabel('B', { exact: true }).check()
    await page.getByLabel('Photos').setInputFiles(await photo())
    await page.locator('[data-wm-name="leak.jpg"]').waitFor({ state: 'attached' })
    await page.close()
    const next = await open()
    await next.getByText('This is what you typed last time.').waitFor()
    expect(await what(next).inputValue()).toBe('It leaks\nagain')
    expect(await next.getByLabel('B', { exact: true }).isChecked()).toBe(true)
    await send(next)
    await waitForSent(next)
    const values = valuesOf((await received())[0]!)
    expect(values).toMatchObject({
      'What happened?': 'It leaks\nagain',
      'Where?': ['b'],
      Photos: [{ file_name: 'leak.jpg' }],
    })
    expect(await what(await open()).inputValue()).toBe('')
  })

  test('a form that cannot be sent is sent when the browser is online again, and once', async () => {
    const { page, context, received } = await visit()
    await what(page).fill('It leaks')
    await context.setOffline(true)
    await send(page)
    await page.getByText('You are offline.').waitFor()
    expect(await what(page).inputValue()).toBe('It leaks')
    await context.setOffline(false)
    await waitForSent(page)
    expect(await received()).toHaveLength(1)
  })

  test('what an earlier release has stored in the browser is restored and sent', async () => {
    const { page, open, received, url } = await visit()
    await page.getByLabel('Photos').setInputFiles(await photo())
    await page.locator('[data-wm-name="leak.jpg"]').waitFor({ state: 'attached' })
    const token = await page.locator('[data-wm-name="leak.jpg"]').inputValue()
    const stored = [
      [
        ['what', 'It leaks'],
        ['_wm_key', 'k'.repeat(22)],
        ['_wm_file:photos', token],
      ],
      [['photos', token, 'leak.jpg']],
    ]
    await page.evaluate(`localStorage['${new URL(url).pathname}'] = ${JSON.stringify(JSON.stringify(stored))}`)
    await page.close()
    const next = await open()
    await send(next)
    await waitForSent(next)
    const [submission] = await received()
    expect(submission).toMatchObject({ status: 'new' })
    expect(valuesOf(submission!)).toMatchObject({ 'What happened?': 'It leaks', Photos: [{ file_name: 'leak.jpg' }] })
  })

  test('two clicks send once', async () => {
    const { page, received } = await visit()
    await what(page).fill('It leaks')
    await page.getByRole('button', { name: 'Send' }).dblclick()
    await waitForSent(page)
    await eventually(async () => expect(await received()).toHaveLength(1))
  })

  test('a page that asks for a proof of work gets one', async () => {
    const { page, received } = await visit({}, { proof_of_work: 'always' })
    await what(page).fill('It leaks')
    await send(page)
    await waitForSent(page)
    expect(await received()).toMatchObject([{ status: 'new', spam_reason: null }])
  })
})
