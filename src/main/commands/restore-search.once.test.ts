import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Client } from '../../testing/client.ts'
import { createKnowledgeBase } from '../../testing/data/articles.ts'
import { createDatabase } from '../../testing/engines/database.ts'
import { eventually } from '../../testing/eventually.ts'
import { useHarness } from '../../testing/harness.ts'
import { killProcesses, runCommand, settingsFor, startServiceProcess } from '../../testing/process.ts'

const harness = useHarness()
afterAll(killProcesses)

test('a restore on either engine reindexes published articles, unchanged and without events', async () => {
  const acme = await harness.createTenant()
  const knowledge_base_id = await createKnowledgeBase(acme)
  const create = async (title: string, status: string) =>
    (await acme.post('/v1/articles', { knowledge_base_id, title, status })).body.id
  const [published, draft] = [await create('Oiling', 'published'), await create('Oiled', 'draft')]
  const article = await eventually(async () => {
    const { body } = await acme.get(`/v1/articles/${published}`)
    return body.indexing_status === 'indexed' && body
  })
  const events = (await acme.get('/v1/events?limit=100')).body.data

  const file = join(harness.folder, 'waymark.backup.gz')
  expect(await runCommand(['backup', file], settingsFor(harness))).toMatchObject({ code: 0 })
  for (const engine of ['sqlite', 'postgres'] as const) {
    const target = await createDatabase(engine)
    const settings = settingsFor(target)
    expect(await runCommand(['restore', file], settings)).toMatchObject({ code: 0 })
    const { url, send, ended } = await startServiceProcess(settings)
    const restored = new Client(url, acme.apiKey)
    const found = await eventually(async () => {
      const { body } = await restored.get('/v1/articles/search?q=oiling')
      return body.total > 0 && body
    })
    expect(found).toMatchObject({ total: 1, data: [{ article_id: published }] })
    expect((await restored.get(`/v1/articles/${published}`)).body).toEqual(article)
    expect((await restored.get(`/v1/articles/${draft}`)).body.indexing_status).toBe('not_started')
    expect((await restored.get('/v1/events?limit=100')).body.data).toEqual(events)
    send('SIGTERM')
    await ended
    await target.drop()
  }
})
