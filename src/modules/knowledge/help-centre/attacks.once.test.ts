import { beforeAll, expect, test } from 'vitest'
import { html } from '../../../platform/text/html.ts'
import { ATTACKS } from '../../../testing/data/attacks.ts'
import { createCentre, type TestCentre } from '../../../testing/data/help-centre.ts'
import { useHarness } from '../../../testing/harness.ts'
import { xmlText } from './feeds/xml.ts'

const harness = useHarness()

/** The attacks that are valid names (not empty, no U+0000, not too long) and contain special characters. */
const NAMES = ATTACKS.map((attack) => attack.replaceAll('\0', '').slice(0, 190).trim()).filter((name) =>
  /[<>"'&]/.test(name),
)
const escaped = (text: string) => html`${text}`.toString()

let centre: TestCentre
beforeAll(async () => {
  centre = await createCentre(harness)
  for (const [n, name] of NAMES.entries()) {
    const { id } = await centre.category({ name, description: name, slug: `c-${n}`, sort_order: n })
    await centre.article({ title: name, slug: `a-${n}`, content: 'Harmless.', category_id: id })
  }
})

test('names of articles and categories are escaped everywhere', async () => {
  expect(NAMES.length).toBeGreaterThan(80)
  for (const [n, name] of NAMES.entries()) {
    for (const path of [`/articles/a-${n}`, `/categories/c-${n}`]) {
      const { status, text } = await centre.read(path)
      expect(status).toBe(200)
      expect(text, name).toContain(`>${escaped(name)}</h1>`)
      expect(text, name).toContain(`<title>${escaped(name)} – Acme help</title>`)
      expect(text, name).not.toContain(name)
    }
  }
})

test('the name and description of a help centre are escaped everywhere', async () => {
  const named = await createCentre(harness)
  for (const name of NAMES) {
    await named.tenant.patch(`/v1/knowledge-bases/${named.base.id}`, { name, description: name })
    for (const path of ['', '/feed.atom', '/nothing']) {
      const { text } = await named.read(path)
      expect(text, name).toContain(escaped(path === '/feed.atom' ? xmlText(name) : name))
      expect(text, name).not.toContain(name)
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
