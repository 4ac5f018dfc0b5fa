import { beforeAll, expect, test } from 'vitest'
import { html } from '../../../platform/text/html.ts'
import { ATTACKS } from '../../../testing/data/attacks.ts'
import { createCentre, type TestCentre } from '../../../testing/data/help-centre.ts'
import { packTexts } from '../../../testing/data/pack-texts.ts'
import { useHarness } from '../../../testing/harness.ts'
import { xmlText } from './feeds/xml.ts'

const harness = useHarness()

/** The attacks without U+0000, which no field accepts, that contain special characters. */
const TEXTS = ATTACKS.map((attack) => attack.replaceAll('\0', '').slice(0, 190).trim()).filter((text) =>
  /[<>"'&]/.test(text),
)
/** All of them, as names and as descriptions. */
const NAMES = packTexts(TEXTS, 200)
const DESCRIPTIONS = packTexts(TEXTS, 2000)
const escaped = (text: string) => html`${text}`.toString()

let centre: TestCentre
beforeAll(async () => {
  centre = await createCentre(harness)
  const { id } = await centre.category({ slug: 'c' })
  const article = await centre.article({ slug: 'a', category_id: id })
  await centre.multiplyCategory(id, NAMES.length, (n) => ({
    name: NAMES[n] as string,
    description: DESCRIPTIONS[n] ?? '',
  }))
  await centre.multiplyArticle(article.id, NAMES.length, (n) => ({ title: NAMES[n] as string }))
})

/** Not those that look like another one that is escaped. */
const RECOGNISABLE = TEXTS.filter((text) => !escaped(TEXTS.join(' ')).includes(text))

function expectEscaped(shown: string, text: string, markup = escaped(text)): void {
  expect(shown, text).toContain(markup)
  for (const attack of RECOGNISABLE) if (text.includes(attack)) expect(shown, text).not.toContain(attack)
}

test('names of articles and categories are escaped everywhere', async () => {
  expect(RECOGNISABLE.length).toBeGreaterThan(80)
  for (const [n, name] of NAMES.entries()) {
    for (const path of [`/articles/a-${n}`, `/categories/c-${n}`]) {
      const { status, text } = await centre.read(path)
      expect(status).toBe(200)
      expectEscaped(text, name, `>${escaped(name)}</h1>`)
      expect(text, name).toContain(`<title>${escaped(name)} – Acme help</title>`)
      if (path.startsWith('/categories')) expectEscaped(text, DESCRIPTIONS[n] ?? '')
    }
  }
})

test('the name and description of a help centre are escaped everywhere', async () => {
  const named = await createCentre(harness)
  // Each attack is in one of both.
  const names = NAMES.filter((_, n) => n % 4 === 0)
  const descriptions = packTexts(
    TEXTS.filter((text) => !names.some((name) => name.includes(text))),
    2000,
  )
  for (const [n, name] of names.entries()) {
    const description = descriptions[n] ?? ''
    await named.tenant.patch(`/v1/knowledge-bases/${named.base.id}`, { name, description })
    for (const path of ['', '/feed.atom', '/nothing']) {
      const { text } = await named.read(path)
      const shown = (given: string) => escaped(path === '/feed.atom' ? xmlText(given) : given)
      expectEscaped(text, name, shown(name))
      if (path === '') expectEscaped(text, description, shown(description))
    }
  }
})

test('an article that takes too long to render is shown as its Markdown source', async () => {
  const { id } = await centre.article({ slug: 'intricate' })
  const content = `& ${'<b>'.repeat(170_000)}`
  await harness.service.database.write((tx) =>
    tx
      .updateTable('article_texts')
      .set({ content })
      .where('org_id', '=', centre.tenant.orgId)
      .where('article_id', '=', id)
      .execute(),
  )
  const { status, text } = await centre.read('/articles/intricate')
  expect(status).toBe(200)
  expect(text).toContain('<p class="written">&amp; &lt;b&gt;&lt;b&gt;')
})
