import { expect, test } from 'vitest'
import { createCentre } from '../../../testing/data/help-centre.ts'
import { useHarness } from '../../../testing/harness.ts'
import { SAMPLES } from '../../assets/assets/testing/sample-files.ts'

const harness = useHarness()

/** The targets of the links in the text of an article, without those to its own headings. */
const linksOf = (page: string): (string | undefined)[] => {
  const [, text = ''] = /<article[^>]*>(.*)<\/article>/s.exec(page) ?? []
  return [...text.matchAll(/<a(?: href="([^"]*)")?[^>]*>\w/g)].map(([, href]) => href)
}

test('links to articles stay right when slugs change, and old addresses redirect', async () => {
  const centre = await createCentre(harness)
  const { tenant: acme, path } = centre
  const other = await createCentre(harness, {}, acme)
  const wax = await centre.article({ title: 'Wax', slug: 'wax' })
  await other.article({ title: 'Far', slug: 'far' })
  await centre.article({ title: 'Draft', slug: 'draft', status: 'draft' })
  const url = 'http://localhost:8080'
  const content = [
    '[a](wax.md#when) [b](../care/wax.md) [c](wax) [d](wax#h-when) [e](./Wax.html)',
    `[f](${url}${path}/articles/wax) [g](${url}${path}/de/articles/wax#when) [h](${path}/articles/wax)`,
    '[i](far.md) [j](draft.md) [k](nothing) [l](manual.pdf) [m](#here) [n](/elsewhere) [o](https://acme.com/wax.md)',
  ].join('\n')
  const { slug } = await centre.article({ title: 'Oil', slug: 'oil', content })
  const expected = (at: string) => [
    ...[`${at}/articles/wax#h-when`, `${at}/articles/wax`, `${at}/articles/wax`, `${at}/articles/wax#h-when`],
    ...[`${at}/articles/wax`, `${at}/articles/wax`, `${at}/articles/wax#h-when`, `${at}/articles/wax`],
    ...[
      `${other.path}/articles/far`,
      undefined,
      undefined,
      'manual.pdf',
      '#here',
      '/elsewhere',
      'https://acme.com/wax.md',
    ],
  ]
  expect(linksOf((await centre.read(`/articles/${slug}`)).text)).toEqual(expected(path))

  const renamed = await acme.patch(`/v1/articles/${wax.id}`, { slug: 'waxing' })
  expect(renamed).toMatchObject({ status: 200, body: { slug: 'waxing' } })
  const after = (at: string) => expected(at).map((href) => href?.replace(/^(\/kb.*)\/wax(?=#|$)/, '$1/waxing'))
  expect(linksOf((await centre.read(`/articles/${slug}`)).text)).toEqual(after(path))
  expect(linksOf((await centre.read(`/de/articles/${slug}`)).text)).toEqual(
    after(`${path}/de`).with(8, `${other.path}/articles/far`),
  )
  const moved = await centre.read('/articles/wax')
  expect([moved.status, moved.headers.get('location')]).toEqual([301, `${path}/articles/waxing`])
  const inGerman = await centre.read('/de/articles/wax')
  expect([inGerman.status, inGerman.headers.get('location')]).toEqual([301, `${path}/de/articles/waxing`])
  expect((await other.read('/articles/wax')).status).toBe(404)

  // No other article gets the old slug, neither by request nor by its title.
  const taken = await acme.post('/v1/articles', { knowledge_base_id: centre.base.id, title: 'New', slug: 'wax' })
  expect(taken).toMatchObject({ status: 409, body: { error: 'conflict', details: { field: 'slug', id: wax.id } } })
  expect(
    await acme.patch(`/v1/articles/${(await centre.article({ title: 'Wax' })).id}`, { slug: 'wax' }),
  ).toMatchObject({ status: 409 })
  expect((await acme.get('/v1/articles?search=wax&sort=-created_at')).body.data[0].slug).toBe('wax-2')
  expect((await centre.read('/articles/wax')).status).toBe(301)

  // The article itself can have it again, and a deleted one frees it.
  expect(await acme.patch(`/v1/articles/${wax.id}`, { slug: 'wax' })).toMatchObject({ status: 200 })
  expect((await centre.read('/articles/wax')).status).toBe(200)
  expect((await centre.read('/articles/waxing')).headers.get('location')).toBe(`${path}/articles/wax`)
  await acme.delete(`/v1/articles/${wax.id}`)
  expect((await centre.read('/articles/waxing')).status).toBe(404)
  expect(await centre.article({ title: 'Other', slug: 'waxing' })).toMatchObject({ slug: 'waxing' })
  expect(linksOf((await centre.read(`/articles/${slug}`)).text)[0]).toBeUndefined()
})

test('a page has a list of its headings from three on, names callouts in the language of the text, and sizes images', async () => {
  const centre = await createCentre(harness)
  const { tenant: acme } = centre
  const uploaded = await fetch(`${harness.baseUrl}/v1/assets?file_name=a.png`, {
    method: 'POST',
    headers: { authorization: `Bearer ${acme.apiKey}`, 'content-type': 'image/png' },
    body: SAMPLES.png.content as never,
  })
  const { url: absolute, width, height } = (await uploaded.json()) as { url: string; width: number; height: number }
  const url = new URL(absolute).pathname
  expect([width, height]).toEqual([1, 1])
  const content = `## A\n## B\n### C & D\n> [!NOTE]\n> x\n\n![p](${url})\n\n<video src="https://acme.com/v.mp4"></video>`
  const article = await acme.post('/v1/articles', {
    ...{ knowledge_base_id: centre.base.id, title: 'T', slug: 't', status: 'published', content },
  })
  const warnings = [{ line: 9, message: 'A video cannot be shown here. It became a link: https://acme.com/v.mp4' }]
  expect(article.body.warnings).toEqual(warnings)
  const { id } = article.body
  expect((await acme.get(`/v1/articles/${id}`)).body.warnings).toEqual(warnings)
  const german = await acme.post(`/v1/articles/${id}/translations`, {
    language: 'de',
    title: 'T',
    content: `> [!NOTE]\n> x\n\n${content}`,
  })
  expect(german.body.warnings).toEqual([{ ...warnings[0], line: 12 }])
  expect(
    (await acme.patch(`/v1/articles/${id}/translations/de`, { content: '## A\n## B\n> [!NOTE]\n> x' })).body.warnings,
  ).toEqual([])

  const { text } = await centre.read('/articles/t')
  expect(text).toContain(
    '<nav class="contents" aria-labelledby="contents"><p id="contents" lang="en">On this page</p>\n<ul><li><a href="#h-a">A</a></li><li><a href="#h-b">B</a></li><li class="deep"><a href="#h-c--d">C &amp; D</a></li></ul></nav>',
  )
  expect(text).toContain('<h2 id="h-a"><a class="place" href="#h-a">A</a></h2>')
  expect(text).toContain('<blockquote class="callout note"><p class="label">Note</p>')
  expect(text).toContain(`<img src="${url}" width="1" height="1" alt="p" loading="lazy" />`)
  const translated = (await centre.read('/de/articles/t')).text
  expect(translated).toContain('<p class="label">Hinweis</p>')
  expect(translated).not.toContain('class="contents"')
  expect((await acme.patch(`/v1/articles/${id}`, { content: 'x' })).body.warnings).toEqual([])
})
