/** Photos and other files: chosen, shown, uploaded, refused and removed. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { valuesOf } from '../../../../../testing/page-visitor.ts'
import { violationsOf } from '../../../../../testing/world/accessibility.ts'
import { TARGET_PX_MIN } from '../../../../../testing/world/good-page.ts'
import { NO_PHOTO, photo, said, send, useForms, waitForSent, what } from './testing/form-in-browser.ts'

const visit = useForms()

const media = (config: object) => ({ type: 'form_media', config: { label: 'Files', name: 'files', ...config } })
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const buttonsOf = (page: Page, name: string) => row(page, name).getByRole('button').allInnerTexts()
const isKept = (page: Page, name: string) => page.locator(`[data-wm-name="${name}"]`).waitFor({ state: 'attached' })

test('a photo is uploaded when it is chosen, shown, and can be removed', async () => {
  const { page, received, problems } = await visit()
  await page.getByLabel('Photos').setInputFiles([await photo(), await photo('other.jpg')])
  await isKept(page, 'leak.jpg')
  await isKept(page, 'other.jpg')
  const preview = page.locator('[data-wm-received] img').first()
  expect(await preview.boundingBox()).toMatchObject({ width: 56, height: 56 })
  expect(await preview.evaluate((image: any) => image.naturalWidth)).toBe(600)
  for (const button of await page.locator('button').all()) {
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(TARGET_PX_MIN)
  }
  await page.getByRole('button', { name: 'Remove other.jpg' }).click()
  expect(await page.evaluate(`document.activeElement.name`)).toBe('photos')
  await what(page).fill('It leaks')
  await send(page)
  await waitForSent(page)
  expect(valuesOf((await received())[0]!).Photos).toMatchObject([{ file_name: 'leak.jpg' }])
  expect(problems).toEqual([])
})

test('a refused file only offers to remove it, and the form is not sent with it in silence', async () => {
  const { page, received } = await visit()
  const large = { ...NO_PHOTO, name: 'large.jpg', buffer: Buffer.alloc(1024 * 1024 + 1) }
  await page.getByLabel('Photos').setInputFiles([NO_PHOTO, large])
  await row(page, 'page.jpg').getByText('This type of file is not accepted here.').waitFor()
  await row(page, 'large.jpg').getByText('This file is too large. At most 1 MB are possible.').waitFor()
  expect(await buttonsOf(page, 'page.jpg')).toEqual(['Remove'])
  expect(await buttonsOf(page, 'large.jpg')).toEqual(['Remove'])
  expect(await page.getByLabel('Photos').getAttribute('aria-invalid')).toBe('true')
  expect(await violationsOf(page)).toEqual([])
  await what(page).fill('It leaks')
  await send(page)
  const link = page.getByRole('alert').getByRole('link')
  expect(await link.allInnerTexts()).toEqual(['Photos: This type of file is not accepted here.'])
  await page.getByRole('button', { name: 'Remove page.jpg' }).click()
  expect(await link.allInnerTexts()).toEqual(['Photos: This file is too large. At most 1 MB are possible.'])
  await page.getByRole('button', { name: 'Remove large.jpg' }).click()
  expect(await link.count()).toBe(0)
  await send(page)
  await waitForSent(page)
  expect(valuesOf((await received())[0]!).Photos).toEqual([])
})

test('a file that did not arrive shows its progress again after another try', async () => {
  const { page, problems } = await visit()
  let isAway = true
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(/\/files\?/, async (route) => {
    if (isAway) return route.abort()
    await held
    return route.continue()
  })
  await page.getByLabel('Photos').setInputFiles(await photo())
  await row(page, 'leak.jpg').getByText('leak.jpg could not be uploaded.').waitFor()
  expect(await buttonsOf(page, 'leak.jpg')).toEqual(['Try again', 'Remove'])
  isAway = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await row(page, 'leak.jpg').getByRole('progressbar').waitFor()
  letGo()
  await isKept(page, 'leak.jpg')
  expect(await buttonsOf(page, 'leak.jpg')).toEqual(['Remove'])
  expect(problems.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
})

test('one file too many is not taken, and says so at the field', async () => {
  const { page } = await visit({ blocks: [media({ max_files: 2 })] })
  await page.getByLabel('Files').setInputFiles([await photo('1.jpg'), await photo('2.jpg'), await photo('3.jpg')])
  await said(page, 'Please choose at most 2 files.').waitFor()
  await isKept(page, '1.jpg')
  await isKept(page, '2.jpg')
  expect(await page.getByRole('listitem').count()).toBe(2)
  await page.getByRole('button', { name: 'Remove 1.jpg' }).click()
  expect(await said(page, 'Please').count()).toBe(0)
})

test.each([
  [['image'], 'Add photo', true],
  [['image', 'video'], 'Add photo or video', true],
  [['video'], 'Add video', false],
  [['image', 'pdf'], 'Add file', true],
  [['audio'], 'Add file', false],
])('for %j, the button says "%s"', async (accept, text, hasCamera) => {
  const { page } = await visit({ blocks: [media({ accept })], hasTouch: true, isMobile: true })
  await page.getByText(text, { exact: true }).waitFor()
  const chooser = page.waitForEvent('filechooser')
  await page.getByText(text, { exact: true }).click()
  expect((await chooser).isMultiple()).toBe(true)
  const camera = page.getByLabel('Take a photo')
  expect(await camera.count()).toBe(hasCamera ? 1 : 0)
  if (!hasCamera) return
  expect(await camera.getAttribute('capture')).toBe('environment')
  await camera.setInputFiles(await photo('camera.jpg'))
  await isKept(page, 'camera.jpg')
})

test('only touch screens offer the camera, and only the script replaces the button of the browser', async () => {
  const desktop = await visit({ blocks: [media({})] })
  expect(await desktop.page.getByText('Add photo').isVisible()).toBe(true)
  expect(await desktop.page.getByText('Take a photo').isVisible()).toBe(false)
  const plain = await visit({ blocks: [media({})], javaScriptEnabled: false, hasTouch: true, isMobile: true })
  expect(await plain.page.getByText('Add photo').isVisible()).toBe(false)
  expect(await plain.page.getByText('Take a photo').isVisible()).toBe(false)
  expect((await plain.page.getByLabel('Files').boundingBox())!.height).toBeGreaterThanOrEqual(TARGET_PX_MIN)
})

test('at 200 % zoom and in Arabic, files fit the screen', async () => {
  const { page } = await visit(
    { blocks: [media({})], viewport: { width: 195, height: 400 } },
    { default_language: 'ar' },
  )
  await page.locator('#f0').setInputFiles([await photo('a-photo-with-a-rather-long-name-of-a-camera.jpg'), NO_PHOTO])
  await page.locator('[data-wm-refused]').waitFor()
  await isKept(page, 'a-photo-with-a-rather-long-name-of-a-camera.jpg')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(195)
})
