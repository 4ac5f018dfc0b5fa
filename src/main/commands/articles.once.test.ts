import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { articleFile, FOLDER, NO_FILES, readFolder, writeFolder } from '../../testing/data/article-folder.ts'
import { eventually } from '../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../testing/harness.ts'
import { killProcesses, runCommand, settingsFor } from '../../testing/process.ts'

const harness = useHarness()
afterAll(killProcesses)

let acme: Tenant
beforeAll(async () => {
  acme = await harness.createTenant()
  await acme.post('/v1/knowledge-bases', { name: 'Care', slug: 'care' })
})

const articles = (...args: string[]) => runCommand(['articles', ...args], settingsFor(harness))

test('imports files while the service runs, and exports the same files', async () => {
  const [dir, out] = [join(harness.folder, 'in'), join(harness.folder, 'out')]
  await writeFolder(dir, FOLDER)

  const imported = await articles('import', dir, '--kb', 'care', '--json')
  expect(imported).toMatchObject({ code: 0, stderr: '' })
  const none = { created: 0, updated: 0, unchanged: 0, left_alone: 0 }
  expect(imported.json).toEqual({
    ...{ folder: dir, knowledge_base: 'care' },
    ...{ ...none, created: 3 },
    translations: { ...none, created: 1 },
    categories: { ...none, created: 3 },
    tags: { created: 2 },
    ...NO_FILES,
  })
  // The service's worker got no announcement, because on SQLite another process cannot send one.
  await eventually(async () => {
    const { data } = (await acme.get('/v1/articles?status=published')).body
    return data[0].slug === 'oiling-the-top' && data[0].indexing_status === 'indexed'
  })
  expect((await articles('import', dir, '--kb', 'care')).stdout).toBe(
    [
      'Articles: 0 created, 0 updated, 3 unchanged, 0 kept (not in the folder).',
      'Translations: 0 created, 0 updated, 1 unchanged, 0 kept (not in the folder).',
      'Categories: 0 created, 0 updated, 3 unchanged, 0 kept (not in the folder).',
      'Tags: 0 created.\n',
    ].join('\n'),
  )

  const exported = await articles('export', out, '--kb', 'care', '--json')
  expect(exported).toMatchObject({
    code: 0,
    json: { folder: out, knowledge_base: 'care', articles: 3, translations: 1, categories: 3, removed: 0 },
  })
  expect(await readFolder(out)).toEqual(FOLDER)
  expect(await articles('export', out, '--kb', 'care')).toMatchObject({
    ...{ code: 1, stdout: '' },
    stderr: expect.stringMatching(/^.*is not empty.*--force\.\n$/),
  })
  await writeFolder(out, { 'gone.md': articleFile('title: Gone') })
  expect((await articles('export', out, '--kb', 'care', '--force')).stdout).toBe(
    `Exported to ${out}. Articles: 3, translations: 1, categories: 3.\nRemoved 1 file no longer in the knowledge base.\n`,
  )
  expect(await readFolder(out)).toEqual(FOLDER)
})

test('an import with invalid files lists the problems and changes nothing', async () => {
  const dir = join(harness.folder, 'bad')
  await writeFolder(dir, { 'a.md': articleFile('title: A'), 'b.md': articleFile('name: B') })
  const args = ['import', dir, '--kb', 'care', '--org', acme.slug]
  expect(await articles(...args)).toMatchObject({
    ...{ code: 1, stdout: '' },
    stderr:
      'Nothing was imported. Fix these problems first:\n  b.md:2: title: Required.\n  b.md:2: name: There is no such key.\n',
  })
  const { code, json } = await articles(...args, '--json')
  expect({ code, json }).toEqual({ code: 1, json: { error: { message: expect.stringContaining('b.md:2: name') } } })
  await rm(join(dir, 'b.md'))
  expect((await articles(...args, '--json')).json).toMatchObject({ created: 1 })
})

test('requires --org when there are several organisations', async () => {
  const globex = await harness.createTenant()
  const out = join(harness.folder, 'several')
  const { code, stderr } = await articles('export', out, '--kb', 'care')
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'There are several organisations. Choose one with --org <slug>.\n',
  })
  const ofGlobex = await articles('export', out, '--kb', 'care', '--org', globex.slug)
  expect(ofGlobex).toMatchObject({ code: 1, stderr: 'There is no knowledge base with the slug "care".\n' })
  expect((await articles('export', out, '--kb', 'care', '--org', acme.slug)).code).toBe(0)
})
