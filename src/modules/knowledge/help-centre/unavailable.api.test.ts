import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { newId } from '../../../platform/ids/index.ts'
import { createCentre } from '../../../testing/data/help-centre.ts'
import { setReachable } from '../../../testing/engines/database.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'
import { type AttributedScan, signScan } from '../../codes/scanned-things/index.ts'
import { TEXTS } from './texts.ts'

const harness = useHarness({ role: 'all' })

test('a failing page shows a notice and does not reveal the cause', async () => {
  const centre = await createCentre(harness)
  const { kysely } = harness.service.database
  await sql`alter table knowledge_bases rename to knowledge_bases_elsewhere`.execute(kysely)
  const { status, text, headers } = await centre.read('', { 'accept-language': 'es' })
  await sql`alter table knowledge_bases_elsewhere rename to knowledge_bases`.execute(kysely)
  expect(status).toBe(500)
  expect(text).toContain(TEXTS.es.unavailable.title)
  expect(text).not.toContain('knowledge_bases')
  expect(headers.get('cache-control')).toBe('no-store')
  expect((await centre.read()).status).toBe(200)
})

if (inject('engine') === 'postgres') {
  test('while the database is unreachable, pages return a 503 notice that reloads, and then recover', async () => {
    const centre = await createCentre(harness)
    await setReachable(harness.location, false)
    const { status, text, headers } = await centre.read('/no/articles/oak')
    await setReachable(harness.location, true)
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('5')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).toContain('<html lang="no">')
    expect(text).toContain(TEXTS.no.unavailable.text)
    expect(text).toContain('<meta http-equiv="refresh" content="5">')
    await eventually(async () => (await centre.read()).status === 200)
  })

  test('while the database does not respond, a visitor who scanned something gets the page without it', async () => {
    const centre = await createCentre(harness)
    const { body: object } = await centre.tenant.post('/v1/objects', { type: 'press', name: 'Press 4' })
    const { keyring, database } = harness.service
    const scan: AttributedScan = { scanned: { kind: 'object', id: object.id }, scanId: newId() }
    const read = () => centre.read(`?s=${signScan(keyring, centre.path, scan, harness.nowMs())}`)
    expect((await read()).text).toContain('Press 4')
    const plain = await centre.read()
    await database.write(async (tx) => {
      await sql`lock table objects in access exclusive mode`.execute(tx)
      expect((await read()).text).toBe(plain.text)
    })
  })
}
