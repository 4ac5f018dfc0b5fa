import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { FOLDER, NO_FILES, NOTHING, readFolder, useArticleFolders } from '../../../testing/data/article-folder.ts'

const { harness, openBase, dump } = useArticleFolders()

test('an import into an empty knowledge base and an export give the same files', async () => {
  const { dir, put, bringIn, writeOut } = await openBase()
  await put(FOLDER)
  expect(await bringIn()).toEqual({
    ...{ ...NOTHING, created: 3 },
    translations: { ...NOTHING, created: 1 },
    categories: { ...NOTHING, created: 3 },
    tags: { created: 2 },
    ...NO_FILES,
  })
  const out = `${dir}-out`
  expect(await writeOut(out)).toEqual({ articles: 3, translations: 1, categories: 3, removed: 0 })
  expect(await readFolder(out)).toEqual(FOLDER)
})

test('an export and an import change nothing in the knowledge base', async () => {
  const { acme, base, dir, put, bringIn, writeOut, find } = await openBase()
  await put(FOLDER)
  await bringIn()
  const other = (await acme.post('/v1/knowledge-bases', { name: 'Other' })).body.id
  const far = (await acme.post('/v1/articles', { knowledge_base_id: other, title: 'Far' })).body.id
  const { id } = await find('waxing')
  await acme.post(`/v1/articles/${id}/relations`, { related_article_id: far })
  await acme.patch(`/v1/articles/${id}`, { content: 'Rewritten' })
  await acme.post('/v1/articles', { knowledge_base_id: base, title: 'By hand', content: '\r\n\n x' })
  const before = await dump(acme)
  harness.advance(60_000)
  await writeOut(`${dir}-out`)
  expect((await readFolder(`${dir}-out`))['waxing.md']).toContain('related: [oiling-the-top, far]')
  expect(await bringIn(`${dir}-out`)).toEqual({
    ...{ ...NOTHING, unchanged: 4 },
    translations: { ...NOTHING, unchanged: 1 },
    categories: { ...NOTHING, unchanged: 3 },
    tags: { created: 0 },
    ...NO_FILES,
  })
  expect(await dump(acme)).toEqual(before)
})

const PIECES = ['---\n', '---', '\n', '\r\n', '\r', ' ', '\t', '\uFEFF', '# x\n', 'title: x\n', '🪵', 'שלום', '\u2028']
const WORDS = ['yes', '1.0', ': x', '# x', 'null', '"q"', "it's", '- x', 'a, b', '[x]', 'a\nb', '\u200Fעברית', '---']
const SLUGS = ['null', '-', '---', '0', '1e3', 'true']

const awkward = (some: string[]) => fc.oneof(fc.constantFrom(...some), fc.string({ unit: 'binary', maxLength: 30 }))
const storable = (text: string) => text.replaceAll('\0', '')
const text = fc.record({
  title: awkward(WORDS).map((name) => storable(name).trim() || 'x'),
  content: fc.array(awkward(PIECES)).map((pieces) => storable(pieces.join(''))),
})
const article = fc.record({ text, tags: fc.array(awkward(WORDS), { maxLength: 3 }), translation: fc.option(text) })

/** Files are read and written in the same way on both engines, which only have to keep the texts. */
const RUNS = { sqlite: 5, postgres: 2 }[inject('engine')]

test('keeps any texts and names byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(article, { minLength: 1, maxLength: SLUGS.length }), async (articles) => {
      const [here, there] = [await openBase(), await openBase()]
      const { acme } = here
      const ids: string[] = []
      for (const [n, { text, tags, translation }] of articles.entries()) {
        const article = { ...text, knowledge_base_id: here.base, slug: SLUGS[n], status: 'published' }
        const path = `/v1/articles/${(await acme.post('/v1/articles', article)).body.id}`
        for (const tag of tags) await acme.post('/v1/article-tags', { name: storable(tag) })
        const { data } = (await acme.get('/v1/article-tags?page_size=3')).body
        await acme.put(`${path}/tags`, { tag_ids: data.map(({ id }: any) => id) })
        await acme.put(`${path}/relations`, { related_article_ids: ids })
        if (translation) await acme.post(`${path}/translations`, { language: 'de', ...translation })
        ids.unshift(path.slice(-36))
      }
      const before = await dump(acme)
      await here.writeOut(here.dir)
      expect(await here.bringIn()).toMatchObject({ ...NOTHING, unchanged: articles.length })
      expect(await dump(acme)).toEqual(before)

      expect(await there.bringIn(here.dir)).toMatchObject({ ...NOTHING, created: articles.length })
      await there.writeOut(there.dir)
      expect(await readFolder(there.dir)).toEqual(await readFolder(here.dir))
    }),
    { numRuns: RUNS },
  )
})
