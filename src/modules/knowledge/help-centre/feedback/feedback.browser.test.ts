import { beforeAll, expect, test } from 'vitest'
import { createCentre, type TestCentre } from '../../../../testing/data/help-centre.ts'
import { useHarness } from '../../../../testing/harness.ts'
import { useBrowser } from '../../../../testing/world/browser.ts'
import { expectGoodOnBothScreens, PHONE } from '../../../../testing/world/good-page.ts'
import { TEXTS } from '../texts.ts'

const harness = useHarness()
const browser = useBrowser()
const { question, thanks, missing } = TEXTS.en.feedback

let centre: TestCentre
beforeAll(async () => {
  centre = await createCentre(harness, { primary_color: '#ffd400' })
})

const groupOf = async (id: string): Promise<any> =>
  (await centre.tenant.get('/v1/unanswered')).body.data.find((group: any) => group.article_id === id)

test('a reader without scripts says that an article did not help, on both screens', async () => {
  const { id } = await centre.article({ slug: 'oak', title: 'Oak table', content: 'Wipe it with a soft cloth.' })
  const context = await browser.newContext({ ...PHONE, locale: 'en-GB', javaScriptEnabled: false })
  // Only axe needs scripts.
  const checked = await browser.newPage({ ...PHONE, locale: 'en-GB' })
  const problems: string[] = []
  const page = await context.newPage()
  page.on('console', (line) => problems.push(line.text()))
  const address = `${harness.baseUrl}${centre.path}/articles/oak`
  await page.goto(address)
  await checked.goto(address)
  await expectGoodOnBothScreens(checked)
  const form = page.getByRole('group', { name: question })
  expect(await page.getByText(thanks).isVisible()).toBe(false)
  await form.getByRole('button', { name: 'No' }).click()
  await page.waitForURL(`${address}/feedback`)
  await checked.goto(page.url())
  await expectGoodOnBothScreens(checked)
  await page.getByLabel(missing.question).fill('Which cloth?')
  await page.getByRole('button', { name: missing.send }).click()
  await page.waitForURL(`${address}#feedback-thanks`)
  expect(await page.getByText(thanks).isVisible()).toBe(true)
  expect(await form.isVisible()).toBe(false)
  expect(await groupOf(id)).toMatchObject({ not_helpful_count: 1, comments: [{ text: 'Which cloth?' }] })
  await checked.goto(page.url())
  await checked.getByText(thanks).waitFor()
  await expectGoodOnBothScreens(checked)
  expect(problems).toEqual([])
  await context.close()
  await checked.close()
})

test('the thanks have the focus, so that a screen reader begins with them', async () => {
  await centre.article({ slug: 'focus', title: 'Oak table' })
  const page = await browser.newPage({ locale: 'de-DE' })
  await page.goto(`${harness.baseUrl}${centre.path}/de/articles/focus`)
  await page.getByRole('button', { name: TEXTS.de.feedback.yes, exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/de/articles/focus#feedback-thanks')
  expect(await page.evaluate('document.activeElement.textContent')).toBe(TEXTS.de.feedback.thanks)
  await page.context().close()
})
