import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openLocalStore } from '../platform/files/local-store.ts'
import type { OrgId } from '../platform/ids/index.ts'
import { eventually } from '../testing/eventually.ts'
import { useHarness } from '../testing/harness.ts'
import { createPage, PageVisitor } from '../testing/page-visitor.ts'
import { eraseOrganisation } from './erase-organisation.ts'
import { ERASED_TABLES } from './erased-tables.ts'

const harness = useHarness()

/** The tables with rows of an organisation, beside the one that keeps its slugs. */
async function tablesOf(orgId: OrgId): Promise<string[]> {
  const tables: string[] = []
  for (const { table, children = {} } of ERASED_TABLES) {
    for (const name of [table, ...Object.keys(children)]) {
      const { rows } = await sql`select 1 from ${sql.table(name)} where "org_id" = ${orgId} limit 1`.execute(
        harness.service.database.kysely,
      )
      if (rows.length > 0) tables.push(name)
    }
  }
  return tables
}

test('an organisation is erased while it is used, and every request gets a response that is no failure', async () => {
  const acme = await harness.createTenant()
  const page = await createPage(acme)
  const { body: code } = await acme.post('/v1/qr-codes', { destination: { page: page.id } })
  const { body: base } = await acme.post('/v1/knowledge-bases', { name: 'Help', is_published: true })
  const article = { knowledge_base_id: base.id, title: 'Oil the chair', content: 'Once a year.', status: 'published' }

  const statuses = new Map<number, number>()
  let isOver = false
  const repeat = async (send: () => Promise<{ status: number }>) => {
    while (!isOver) {
      const { status } = await send()
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const visitor = new PageVisitor(harness, page)
  const users = [
    repeat(() => acme.post('/v1/objects', { type: 'chair' })),
    repeat(() => acme.post('/v1/articles', article)),
    repeat(() => fetch(`${harness.baseUrl}/${code.public_slug}`)),
    repeat(() => visitor.request('GET', visitor.path)),
  ]
  try {
    await eventually(() => (statuses.get(201) ?? 0) > 20 && (statuses.get(200) ?? 0) > 20)
    await eraseOrganisation(harness.service.database, acme.orgId, openLocalStore(join(harness.folder, 'assets')))
    await eventually(() => (statuses.get(404) ?? 0) > 20 && (statuses.get(401) ?? 0) > 20)
  } finally {
    isOver = true
    await Promise.all(users)
  }

  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
  // Scans and views that were on their way.
  await eventually(async () => (await tablesOf(acme.orgId)).length === 0)
})
