/** A tag of very many conversations is deleted in pieces, between which others have their turns. */
import { expect, test } from 'vitest'
import type { EachOf } from '../../../platform/db/statements/each-of.ts'
import { newId } from '../../../platform/ids/index.ts'
import { insertTestRows } from '../../../testing/engines/insert-test-rows.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ role: 'api' })

const createTag = async (tenant: Tenant, name: string): Promise<string> =>
  (await tenant.post('/v1/conversation-tags', { name })).body.id

async function assign({ orgId }: Tenant, tagId: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => ({ org_id: orgId, conversation_id: newId(), tag_id: tagId }))
  await harness.service.database.write((tx) => insertTestRows(tx, 'conversation_tag_assignments', rows))
}

async function countAssigned({ orgId }: Tenant, tagId: string): Promise<number> {
  const rows = harness.service.database.read
    .selectFrom('conversation_tag_assignments')
    .select('conversation_id')
    .where('org_id', '=', orgId)
    .where('tag_id', '=', tagId)
  return (await rows.execute()).length
}

test('each transaction removes it from up to 400 conversations, and the last one deletes it', async () => {
  const acme = await harness.createTenant()
  const [tag, other] = [await createTag(acme, 'Spam'), await createTag(acme, 'Praise')]
  await assign(acme, tag, 2501)
  await assign(acme, other, 3)
  const statements = await harness.statementsOf(async () => {
    expect((await acme.delete(`/v1/conversation-tags/${tag}`)).status).toBe(204)
  })
  const deletions = statements.filter(({ sql }) => /^delete from "conversation_tag/.test(sql))
  const rowsOf = (parameters: readonly unknown[]) => (parameters[0] as EachOf).rows.length
  // Each row is a range of five conversations.
  expect(deletions.map(({ sql, parameters }) => [sql.split('"')[1], rowsOf(parameters)])).toEqual([
    ...[80, 80, 40, 80, 80, 40, 80, 21].map((ranges) => ['conversation_tag_assignments', ranges]),
    ['conversation_tags', 1],
  ])
  expect([await countAssigned(acme, tag), await countAssigned(acme, other)]).toEqual([0, 3])
  expect((await acme.get(`/v1/conversation-tags/${tag}`)).status).toBe(410)
  expect((await acme.get('/v1/conversation-tags')).body.data).toMatchObject([{ id: other }])
  const { body } = await acme.get('/v1/audit-log?action=conversation_tag.deleted')
  expect(body.data).toMatchObject([{ resource: { id: tag } }])
  await createTag(acme, 'Spam')
})

test('exactly one of several concurrent deletions succeeds', async () => {
  const acme = await harness.createTenant()
  const tag = await createTag(acme, 'Spam')
  await assign(acme, tag, 2501)
  const replies = await Promise.all(Array.from({ length: 4 }, () => acme.delete(`/v1/conversation-tags/${tag}`)))
  expect(replies.map(({ status }) => status).sort()).toEqual([204, 410, 410, 410])
})
