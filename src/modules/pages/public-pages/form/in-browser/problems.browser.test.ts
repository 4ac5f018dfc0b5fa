/** Problems at the fields of a form: they are said without anything moving, and listed with links. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violationsOf } from '../../../../../testing/world/accessibility.ts'
import { photo, useForms } from './testing/form-in-browser.ts'

const visit = useForms()

const field = (type: string, name: string, label: string, config: object = {}) => ({
  type: `form_${type}`,
  config: { name, label, ...config },
})
const OPTIONS = ['a', 'b', 'c'].map((value) => ({ value, label: value.toUpperCase() }))
const BLOCKS = [
  field('text', 'serial', 'Serial number', { required: true, min: 3, pattern: '[A-Z]+\\d+' }),
  field('email', 'email', 'Email', { required: true, help: 'For our reply.' }),
  field('number', 'count', 'Number', { min: 1, max: 99, step: 2 }),
  field('checkbox', 'parts', 'Parts', { options: OPTIONS, min: 2 }),
  field('date', 'bought', 'Bought on', { min: '2020-01-01', max: '2026-01-01' }),
  field('rating', 'stars', 'How was it?', { required: true }),
  field('switch', 'agree', 'I agree', { required: true }),
  field('media', 'photos', 'Photos', { required: true, max_files: 1 }),
  field('text', 'last', 'Anything else?'),
]

/** Where every control and the button are, from the first field on. */
const places = (page: Page): Promise<number[]> =>
  page.evaluate(`[...document.querySelectorAll('div[data-wm-field], form .in, form [type=radio], button.btn')]
    .map((each) => each.getBoundingClientRect().top)
    .map((top, _, [first]) => Math.round(top - first))`)

/** How far the first field is from the top of the document. */
const top = (page: Page): Promise<number> =>
  page.evaluate(`Math.round(document.querySelector('[data-wm-field]').getBoundingClientRect().top + scrollY)`)

const shown = (page: Page) => page.locator('[data-wm-says] .on')
const links = (page: Page) => page.getByRole('alert').getByRole('link').allInnerTexts()
const button = (page: Page) => page.locator('button.btn')

/** Makes an answer wrong in every way that the browser finds, and then right. */
const ANSWERS = {
  serial: ['x', 'xxxx', 'A1B', 'AB12'],
  email: ['kim', 'kim@acme.example'],
  count: ['0', '100', '2', '3'],
  bought: ['2019-12-31', '2026-01-02', '2025-06-01'],
}

test.each([320, 390, 1280].flatMap((width) => ['en', 'de', 'ar'].map((language) => [width, language] as const)))(
  'at %i px in %s, nothing moves when a field is wrong or right',
  async (width, language) => {
    const { page } = await visit({ blocks: BLOCKS, viewport: { width, height: 700 } }, { default_language: language })
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    const [before, topBefore] = [await places(page), await top(page)]
    for (const [name, values] of Object.entries(ANSWERS)) {
      const input = page.locator(`[name=${name}]`)
      for (const [n, value] of values.entries()) {
        await input.fill(value)
        await input.blur()
        expect(await shown(page).count(), `${name} ${value}`).toBe(n < values.length - 1 ? 1 : 0)
        expect(await places(page), `${name} ${value}`).toEqual(before)
      }
      await input.fill('')
    }
    await button(page).click()
    // Those that need an answer.
    await page.waitForFunction(`document.querySelectorAll('[data-wm-says] .on').length === 5`)
    expect(await places(page)).toEqual(before)
    expect(await top(page)).toBe(topBefore)
    const heightBefore = await page.evaluate('document.documentElement.scrollHeight')
    await page.locator('[name=serial]').fill('AB12')
    await page.locator('[name=email]').fill('kim@acme.example')
    await page.locator('[name=stars]').nth(4).check()
    await page.locator('[name=agree]').check()
    expect(await links(page)).toHaveLength(1)
    await page.locator('#f7').setInputFiles(await photo())
    await page.waitForFunction(`!document.querySelector('[data-wm-says] .on')`)
    // What goes leaves its room, or a page that is scrolled to its end would move. Files take room of their own.
    expect((await places(page)).slice(0, -3)).toEqual(before.slice(0, -3))
    expect(await top(page)).toBe(topBefore)
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeGreaterThanOrEqual(Number(heightBefore))
    expect(await page.locator('[data-wm-message]').innerText()).toBe('')
  },
)

test('without the script, nothing moves either, and the summary has the focus and leads to the fields', async () => {
  const { page } = await visit({ blocks: BLOCKS, viewport: { width: 390, height: 700 } })
  await page.route(/\/p\/form\.js/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  await page.reload()
  const before = await places(page)
  await page.evaluate('document.forms[0].noValidate = true')
  await page.locator('[name=email]').fill('kim')
  await button(page).click()
  await page.getByRole('alert').waitFor()
  expect(await places(page)).toEqual(before)
  expect(await page.evaluate(`document.activeElement.getAttribute('role')`)).toBe('alert')
  expect((await links(page)).slice(0, 2)).toEqual([
    'Serial number: Please fill in this field.',
    'Email: Please enter an email address, such as name@example.com.',
  ])
  await page.getByRole('link', { name: /^Email/ }).click()
  expect(await page.evaluate('document.activeElement.id')).toBe('f1')
  expect(await violationsOf(page)).toEqual([])
})

test('the summary has the focus, leads to its fields with their labels in view, and goes when they are right', async () => {
  const { page } = await visit({ blocks: BLOCKS, viewport: { width: 390, height: 500 } })
  await button(page).click()
  const summary = page.getByRole('alert')
  await summary.waitFor()
  expect(await page.evaluate(`document.activeElement.getAttribute('role')`)).toBe('alert')
  expect(await links(page)).toEqual([
    'Serial number: Please fill in this field.',
    'Email: Please fill in this field.',
    'How was it?: Please fill in this field.',
    'I agree: Please fill in this field.',
    'Photos: Please fill in this field.',
  ])
  expect(await violationsOf(page)).toEqual([])
  await summary.getByRole('link', { name: /^Email/ }).click()
  expect(await page.evaluate('document.activeElement.id')).toBe('f1')
  const label = await page.locator('label[for=f1]').boundingBox()
  expect(label!.y).toBeGreaterThanOrEqual(0)
  await page.keyboard.type('kim')
  expect(await links(page)).toContain('Email: Please enter an email address, such as name@example.com.')
  await page.keyboard.type('@acme.example')
  expect(await links(page)).toHaveLength(4)
  expect(await page.locator('#f1').getAttribute('aria-invalid')).toBeNull()
})

test('a screen reader hears the help and only the problem that is there', async () => {
  const { page, context } = await visit({ blocks: BLOCKS })
  const session = await context.newCDPSession(page)
  const described = async () => {
    const { result } = await session.send('Runtime.evaluate', { expression: `document.querySelector('#f1')` })
    const { nodes } = await session.send('Accessibility.getPartialAXTree', {
      objectId: result.objectId!,
      fetchRelatives: false,
    })
    return nodes[0]?.description?.value
  }
  expect(await described()).toBe('For our reply.')
  await page.locator('#f1').fill('kim')
  await page.locator('#f1').blur()
  expect(await described()).toBe('For our reply. Please enter an email address, such as name@example.com.')
  expect(await page.locator('#f1').getAttribute('aria-invalid')).toBe('true')
})

test('problems that only the server finds are listed, too', async () => {
  const { page } = await visit({ blocks: [BLOCKS[3]!, field('phone', 'phone', 'Phone')] })
  await page.getByLabel('A', { exact: true }).check()
  await page.getByLabel('Phone').fill('call me')
  const before = await places(page)
  await button(page).click()
  await page.getByRole('alert').getByRole('link').first().waitFor()
  expect(await links(page)).toEqual([
    'Parts: Please choose at least 2 options.',
    'Phone: Please enter a phone number, such as +44 20 7946 0000.',
  ])
  expect(await places(page)).toEqual(before)
  await page.getByLabel('B', { exact: true }).check()
  expect(await links(page)).toHaveLength(1)
})
