import { beforeAll, expect, test } from 'vitest'
import { createCentre, type TestCentre } from '../../../testing/data/help-centre.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()
const SECRET = 'Confidential'

let centre: TestCentre
/** Articles that visitors must not see. */
const hidden: { name: string; slug: string }[] = []
beforeAll(async () => {
  centre = await createCentre(harness)
  const { id: category_id } = await centre.category({ name: 'Wood', slug: 'wood' })
  const shown = await centre.article({ title: 'Oak', slug: 'oak', category_id })
  const related: string[] = []
  for (const status of ['draft', 'unpublished', 'archived', 'published']) {
    for (const visibility of ['public', 'internal', 'chatbot_only']) {
      if (status === 'published' && visibility === 'public') continue
      for (const category of [category_id, null]) {
        const title = `${SECRET} ${status} ${visibility}`
        const article = await centre.article({ title, content: SECRET, status, visibility, category_id: category })
        hidden.push({ name: `${status}, ${visibility}`, slug: article.slug })
        related.push(article.id)
      }
    }
  }
  const sibling = await createCentre(harness, {}, centre.tenant)
  const elsewhere = await sibling.article({ title: `${SECRET} sibling` })
  hidden.push({ name: 'of another knowledge base', slug: elsewhere.slug })
  const stranger = await createCentre(harness)
  hidden.push({ name: 'of another organisation', slug: (await stranger.article({ title: `${SECRET} other` })).slug })
  await stranger.category({ slug: 'foreign-category', name: SECRET })
  await sibling.category({ slug: 'sibling-category', name: SECRET })
  const relations = { related_article_ids: [...related, elsewhere.id] }
  expect((await centre.tenant.put(`/v1/articles/${shown.id}/relations`, relations)).status).toBe(200)
})

test('articles and categories that are not published, not public or from elsewhere return 404 in every language', async () => {
  expect(hidden.length).toBeGreaterThan(20)
  for (const { name, slug } of hidden) {
    for (const language of ['', '/en', '/de']) {
      const { status, text } = await centre.read(`${language}/articles/${slug}`)
      expect(status, name).toBe(404)
      expect(text).not.toContain(SECRET)
    }
  }
  for (const slug of ['foreign-category', 'sibling-category']) {
    expect((await centre.read(`/categories/${slug}`)).status).toBe(404)
  }
})

test.each([
  ...['', '/categories/wood', '/articles/oak', '/articles', '/categories', '/feed.atom', '/sitemap.xml'],
  ...['/search?q=confidential', '/search?q=Oak'],
])('%s does not reveal hidden articles', async (path) => {
  const { status, text } = await centre.read(path)
  expect(status).toBe(200)
  expect(text.replace(/“confidential”|q=confidential|value="confidential"/gi, '')).not.toMatch(/confidential/i)
})

test('a hidden article as list position reveals nothing', async () => {
  for (const { slug } of hidden) {
    const { text } = await centre.read(`/articles?before=${slug}`)
    expect(text).not.toContain(SECRET)
  }
})

test('an unpublished knowledge base returns 404, and becomes available when it is published', async () => {
  const unpublished = await createCentre(harness, { is_published: false, name: SECRET })
  const { slug } = await unpublished.article()
  const paths = ['', '/en', `/articles/${slug}`, '/search?q=oak', '/sitemap.xml', '/feed.atom', '/nothing']
  for (const path of paths) {
    const { status, text } = await unpublished.read(path)
    expect(status).toBe(404)
    expect(text).not.toContain(SECRET)
  }
  await unpublished.tenant.patch(`/v1/knowledge-bases/${unpublished.base.id}`, { is_published: true })
  expect((await unpublished.read(`/articles/${slug}`)).status).toBe(200)
  await unpublished.tenant.patch(`/v1/knowledge-bases/${unpublished.base.id}`, { is_published: false })
  expect((await unpublished.read(`/articles/${slug}`)).status).toBe(404)
})
