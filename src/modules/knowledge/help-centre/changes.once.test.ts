/** Pages are cached until something that they show changes. The next visitor sees the change. */
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { createCentre, type TestCentre } from '../../../testing/data/help-centre.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()
let centre: TestCentre
let ids: Record<'top' | 'empty' | 'inner' | 'oak' | 'pine' | 'draft', string>

beforeEach(async () => {
  centre = await createCentre(harness, { default_language: 'en' })
  const [{ id: top }, { id: empty }] = [
    await centre.category({ name: 'Tables', slug: 'tables', sort_order: 1 }),
    await centre.category({ name: 'Empty', slug: 'empty', sort_order: 2 }),
  ]
  const { id: inner } = await centre.category({ name: 'Legs', slug: 'legs', parent_id: top })
  const { id: oak } = await centre.article({ title: 'Oak', slug: 'oak', content: 'Wipe it.', category_id: inner })
  const { id: pine } = await centre.article({ title: 'Pine', slug: 'pine' })
  const { id: draft } = await centre.article({ title: 'Elm', slug: 'elm', status: 'draft' })
  await centre.translate(oak, 'de', 'Eiche', 'Wischen.')
  await centre.tenant.put(`/v1/articles/${oak}/relations`, { related_article_ids: [pine] })
  ids = { top, empty, inner, oak, pine, draft }
})

const patch = (path: string, body: object) => centre.tenant.patch(`/v1/${path}`, body)
const remove = (path: string) => centre.tenant.delete(`/v1/${path}`)
const base = () => `knowledge-bases/${centre.base.id}`

/** A change, the page that shows it, and a text that the page has only before it (`-`) or only after it (`+`). */
const CHANGES: [name: string, change: () => Promise<unknown>, path: string, text: string][] = [
  ['the name of the knowledge base', () => patch(base(), { name: 'Renamed' }), '/articles/oak', '+Renamed'],
  ['its description', () => patch(base(), { description: 'About us' }), '', '+About us'],
  ['its logo', () => patch(base(), { logo_url: 'https://acme.com/l.png' }), '/articles/oak', '+https://acme.com/l.png'],
  ['its colour', () => patch(base(), { primary_color: '#123456' }), '/articles', '+--fill:#123456'],
  ['its default language', () => patch(base(), { default_language: 'de' }), '', '+<html lang="de">'],
  ['publishing', () => patch(base(), { is_published: false }), '/articles/oak', '-Wipe it.'],
  [
    'its contact',
    () => patch(base(), { contact_email: 'help@acme.example' }),
    '/articles/oak',
    '+href="mailto:help@acme.example"',
  ],
  [
    'an article in a new category below an empty one',
    async () => centre.article({ category_id: (await centre.category({ parent_id: ids.empty })).id }),
    '',
    '+>Empty<',
  ],
  [
    'the name of a category',
    () => patch(`article-categories/${ids.inner}`, { name: 'Feet' }),
    '/articles/oak',
    '+Feet',
  ],
  ['the place of a category', () => patch(`article-categories/${ids.inner}`, { parent_id: null }), '', '+>Legs<'],
  ['the icon of a category', () => patch(`article-categories/${ids.top}`, { icon: 'star' }), '', '+m12 3.5 2.6'],
  [
    'a deleted category',
    () => remove(`article-categories/${ids.inner}?cascade=true`),
    '/categories/tables',
    '-/categories/legs',
  ],
  ['a new article', () => centre.article({ title: 'Ash' }), '', '+>Ash<'],
  ['a new article in the feed', () => centre.article({ title: 'Ash' }), '/feed.atom', '+Ash'],
  ['a new article in the sitemap', () => centre.article({ slug: 'ash' }), '/sitemap.xml', '+/articles/ash'],
  ['the title of an article', () => patch(`articles/${ids.oak}`, { title: 'Beech' }), '/categories/legs', '+>Beech<'],
  ['the text of an article', () => patch(`articles/${ids.oak}`, { content: 'Oil it.' }), '/articles/oak', '+Oil it.'],
  [
    'an article without content',
    () => patch(`articles/${ids.pine}`, { content: ' \n' }),
    '/articles',
    '-/articles/pine',
  ],
  ['the slug of an article', () => patch(`articles/${ids.oak}`, { slug: 'tree' }), '/articles/oak', '-Wipe it.'],
  ['its visibility', () => patch(`articles/${ids.oak}`, { visibility: 'internal' }), '/articles/oak', '-Wipe it.'],
  ['its category', () => patch(`articles/${ids.oak}`, { category_id: null }), '/categories/legs', '-/articles/oak'],
  ['a published draft', () => patch(`articles/${ids.draft}`, { status: 'published' }), '/articles', '+>Elm<'],
  ['an archived article', () => patch(`articles/${ids.oak}`, { status: 'archived' }), '/articles/oak', '-Wipe it.'],
  ['a deleted article', () => remove(`articles/${ids.oak}`), '/articles', '-/articles/oak'],
  ['a deleted related article', () => remove(`articles/${ids.pine}`), '/articles/oak', '-/articles/pine'],
  ['the title of a related article', () => patch(`articles/${ids.pine}`, { title: 'Fir' }), '/articles/oak', '+Fir'],
  ['a new translation', () => centre.translate(ids.oak, 'fr', 'Chêne'), '/fr/articles/oak', '+Chêne'],
  ['a new language', () => centre.translate(ids.oak, 'fr', 'Chêne'), '', '+hreflang="fr"'],
  [
    'a changed translation',
    () => patch(`articles/${ids.oak}/translations/de`, { content: 'Ölen.' }),
    '/de/articles/oak',
    '+Ölen.',
  ],
  ['a deleted translation', () => remove(`articles/${ids.oak}/translations/de`), '/de/articles/oak', '-Wischen.'],
  [
    'a deleted relation',
    () => centre.tenant.put(`/v1/articles/${ids.oak}/relations`, { related_article_ids: [], mode: 'replace' }),
    '/articles/oak',
    '-/articles/pine',
  ],
]

test.each(CHANGES)('%s', async (_name, change, path, text) => {
  const [sign, shown] = [text.slice(0, 1), text.slice(1)]
  const before = await centre.read(path)
  expect((await centre.read(path)).headers.get('etag')).toBe(before.headers.get('etag'))
  await change()
  const after = await centre.read(path, { 'if-none-match': before.headers.get('etag') ?? '' })
  expect(after.status).not.toBe(304)
  expect(after.text).not.toBe(before.text)
  expect([before.text.includes(shown), after.text.includes(shown)]).toEqual(
    sign === '+' ? [false, true] : [true, false],
  )
})

describe('the revision of a knowledge base', () => {
  const revision = async () => {
    const rows = await harness.service.database.read
      .selectFrom('knowledge_base_revisions')
      .select('revision')
      .where('org_id', '=', centre.tenant.orgId)
      .where('knowledge_base_id', '=', centre.base.id)
      .orderBy('slot')
      .execute()
    return rows.map((row) => row.revision).join()
  }

  /** Runs a statement that no code of ours runs, so that only triggers can notice it. */
  const direct = (change: string, id: string) =>
    harness.service.database.write((tx) =>
      sql`${sql.raw(change)} = ${id} and org_id = ${centre.tenant.orgId}`.execute(tx),
    )

  test.each([
    ['texts', `update article_texts set content_plain = 'x' where article_id`],
    ['texts', `delete from article_texts where language = 'de' and article_id`],
    ['relations', `update article_relations set sort_order = 7 where article_id`],
    ['relations', `delete from article_relations where article_id`],
    ['articles', `update articles set updated_at = '2026-01-01T00:00:00.000+00:00' where id`],
  ])('changes with %s, however they are changed: %s', async (_table, statement) => {
    const before = await revision()
    await direct(statement, ids.oak)
    expect(await revision()).not.toBe(before)
  })

  test.each([
    ['the state of indexing', `update articles set indexing_attempts = 3 where id`, 'oak'],
    ['the text of a draft', `update article_texts set content = 'x' where article_id`, 'draft'],
    ['a draft', `update articles set slug = 'other' where id`, 'draft'],
  ] as const)('does not change with %s, which no page shows', async (_name, statement, id) => {
    const before = await revision()
    await direct(statement, ids[id])
    expect(await revision()).toBe(before)
  })

  test('changes in both when an article moves to another knowledge base', async () => {
    const other = await createCentre(harness, {}, centre.tenant)
    expect((await other.read('/articles')).text).not.toContain('/articles/pine')
    expect((await centre.read('/articles')).text).toContain('/articles/pine')
    await direct(`update articles set knowledge_base_id = '${other.base.id}' where id`, ids.pine)
    await harness.service.database.write(async () => {}, centre.tenant.orgId)
    expect((await other.read('/articles')).text).toContain('/articles/pine')
    expect((await centre.read('/articles')).text).not.toContain('/articles/pine')
  })
})
