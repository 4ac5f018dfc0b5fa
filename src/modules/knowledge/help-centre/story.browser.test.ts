import { expect, test } from 'vitest'
import { createCentre } from '../../../testing/data/help-centre.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'
import { useBrowser } from '../../../testing/world/browser.ts'

const harness = useHarness()

const browser = useBrowser()

const PHONE = { viewport: { width: 375, height: 667 }, isMobile: true, hasTouch: true, locale: 'de-DE' }

test('an article is found despite a typo, and its edits, diff and restored version reach the reader', async () => {
  const { tenant: editor, base, path } = await createCentre(harness, { name: 'Acme Care' })
  const draft = {
    knowledge_base_id: base.id,
    title: 'Oiling the table top',
    content: '# When\n\nOil it once a **month**.',
  }
  const { id } = (await editor.post('/v1/articles', draft)).body
  const article = `/v1/articles/${id}`
  const german = { language: 'de', title: 'Die Tischplatte ölen', content: '# Wann\n\nEinmal im **Monat** mit Leinöl.' }
  await editor.post(`${article}/translations`, german)
  await editor.patch(article, { status: 'published' })
  const isIndexed = async () => (await editor.get(article)).body.indexing_status === 'indexed'
  await eventually(isIndexed)

  const page = await (await browser.newContext(PHONE)).newPage()
  const mainText = () => page.locator('main').innerText()
  await page.goto(`${harness.baseUrl}${path}`)
  await page.getByRole('searchbox').first().fill('Tischplate')
  await page.keyboard.press('Enter')
  await page.waitForURL(/Tischplate/)
  // Misspellings are corrected a moment after the article itself is found.
  await eventually(async () => {
    await page.reload()
    return (await page.locator('mark').count()) > 0
  })
  expect(await page.locator('mark').first().innerText()).toBe('Tischplatte')
  await page.getByRole('link', { name: 'Die Tischplatte ölen' }).click()
  expect(await page.locator('h1').innerText()).toBe('Die Tischplatte ölen')
  expect(await mainText()).toContain('Einmal im Monat mit Leinöl.')

  await editor.patch(article, { content: '# When\n\nOil it once a **year**.' })
  expect((await editor.get(`${article}/translations/de`)).body.is_stale).toBe(true)
  const { content } = (await editor.get(`${article}/versions/1/diff/2`)).body
  const changed = content.rows.find(({ type }: { type: string }) => type === 'changed')
  expect(changed.words.filter(({ type }: { type: string }) => type !== 'equal')).toEqual([
    { type: 'removed', text: 'month' },
    { type: 'added', text: 'year' },
  ])
  await page.locator('.languages summary').click()
  await page.getByRole('link', { name: 'English' }).click()
  expect(await mainText()).toContain('Oil it once a year.')

  expect((await editor.post(`${article}/versions/1/restore`)).status).toBe(200)
  await page.reload()
  expect(await mainText()).toContain('Oil it once a month.')
})
