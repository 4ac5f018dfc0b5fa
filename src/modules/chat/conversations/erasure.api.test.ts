import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { assetSettings, openAssetStore } from '../../../main/asset-settings.ts'
import { MINUTE_MS, timestamp } from '../../../platform/clock/index.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import { newId } from '../../../platform/ids/index.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { ANSWER, ChatVisitor, createBot, createConversation } from '../../../testing/data/conversations.ts'
import { insertTestRows } from '../../../testing/engines/insert-test-rows.ts'
import { testConfig, useMailingHarness } from '../../../testing/harness.ts'
import { storeAsset } from '../../assets/assets/index.ts'
import { ConversationGone } from './index.ts'

const { harness, smtp } = await useMailingHarness({ role: 'api' })

/** The tables that have this text in any column. */
async function tablesWith(text: string): Promise<string[]> {
  // Not the service's own connection, whose statements are checked.
  const database = await openDatabase(harness.location)
  const { kysely } = database
  const found: string[] = []
  for (const { name } of await kysely.introspection.getTables()) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(kysely)
    if (JSON.stringify(rows).includes(text)) found.push(name)
  }
  await database.close()
  return found.sort()
}

test('erasing a conversation leaves what was written in it nowhere', async () => {
  const acme = await harness.createTenant()
  const webhook = await harness.subscribe(
    acme,
    ['conversation.created', 'conversation.updated', 'message.created', 'conversation.deleted'],
    { isActive: false },
  )
  const bot = await createBot(acme)
  const visitor = new ChatVisitor(harness, acme, bot.id)
  const question = await visitor.say('Zebrafinch at gate 4', { messageKey: 'zebrafinch-key' })
  await visitor.answer(question.id, { ...ANSWER, text: 'The zebrafinch is safe.', isAnswered: false })
  await visitor.askForAgent({ contact_email: 'zebrafinch@acme.example', contact_name: 'Zebrafinch' })
  harness.advance(2 * MINUTE_MS)
  const { path } = visitor
  expect((await acme.post(`${path}/messages`, { text: 'Dear zebrafinch' })).status).toBe(201)
  expect((await acme.patch(path, { title: 'zebrafinch', contact_phone: 'zebrafinch 1' })).status).toBe(200)
  expect((await acme.patch(path, { title: 'The zebrafinch' })).status).toBe(200)
  expect((await acme.post(`${path}/notes`, { content: 'zebrafinch called' })).status).toBe(201)
  const tag = (await acme.post('/v1/conversation-tags', { name: 'Birds' })).body.id
  await acme.put(`${path}/tags`, { tag_ids: [tag] })
  const other = await createConversation(harness, acme, { text: 'A crow', chatbotId: bot.id })
  expect(await tablesWith('ebrafinch')).toEqual(
    expect.arrayContaining(['conversation_notes', 'conversations', 'events', 'messages', 'question_groups']),
  )
  const balance = (await acme.get('/v1/credits')).body.balance
  const mails = async () => (await harness.service.database.kysely.selectFrom('mails').select('id').execute()).length
  expect(await mails()).toBe(1)

  const erased = await acme.delete(path)
  expect({ status: erased.status, text: erased.text }).toEqual({ status: 204, text: '' })
  expect(await tablesWith('ebrafinch')).toEqual([])
  expect(await mails()).toBe(0)
  expect(smtp.received).toEqual([])
  for (const reply of [
    await acme.get(path),
    await acme.delete(path),
    await acme.patch(path, {}),
    await acme.get(`${path}/messages`),
    await acme.post(`${path}/messages`, { text: 'x' }),
    await acme.get(`${path}/notes`),
    await acme.get(`${path}/tags`),
    await acme.get(`${path}/files/${tag}`),
  ]) {
    expect(reply).toMatchObject({ status: 410, body: { error: 'gone' } })
  }
  expect((await acme.get('/v1/conversations')).body.data).toMatchObject([{ id: other.id }])
  expect(await other.messagesAfter(null)).toHaveLength(1)
  expect((await acme.get('/v1/credits')).body.balance).toBe(balance)

  const { data } = (await acme.get('/v1/events?limit=100')).body
  const about = data.filter(({ data: { id, conversation_id } }: any) => [id, conversation_id].includes(visitor.id))
  expect(about[0].data).toEqual({
    object: 'conversation',
    id: visitor.id,
    deleted: true,
    deleted_at: expect.any(String),
  })
  expect(about.map(({ type }: any) => type).reverse()).toEqual([
    'conversation.created',
    'message.created',
    'message.created',
    'conversation.updated',
    'conversation.updated',
    'message.created',
    'message.created',
    'conversation.updated',
    'conversation.updated',
    'conversation.deleted',
  ])
  for (const event of about.filter(({ type }: any) => type === 'message.created')) {
    expect(event.data).toMatchObject({ parts: [], metadata: {} })
  }
  const { data: held } = (await acme.get(`/v1/webhooks/${webhook.id}/deliveries?limit=100`)).body
  expect(held.length).toBeGreaterThanOrEqual(about.length)
  const [entry] = (await acme.get(`/v1/audit-log?resource=${visitor.id}`)).body.data
  expect(entry).toMatchObject({ action: 'conversation.deleted', changes: null })

  const { token: _, scanId: __, ...stored } = visitor.started
  const message = { text: 'x', files: [], messageKey: null }
  const now = timestamp(harness.nowMs())
  const writing = visitor.write((tx) => visitor.conversations.addVisitorMessage(tx, stored, message, now))
  await expect(writing).rejects.toThrow(ConversationGone)
})

test('of unanswered questions, only the words of others stay', async () => {
  const acme = await harness.createTenant()
  const bot = await createBot(acme)
  const ask = async (text: string) => {
    const visitor = await createConversation(harness, acme, { chatbotId: bot.id, text })
    const [question] = await visitor.messagesAfter(null)
    await visitor.answer(question!.id, { ...ANSWER, citations: [], isAnswered: false })
    return visitor
  }
  const erased = await ask('Where is the kingfisher manual?')
  await ask('The kingfisher manual, where is it?')
  const unanswered = async () => (await acme.get(`/v1/chatbots/${bot.id}/unanswered`)).body.data
  expect(await unanswered()).toMatchObject([{ count: 2, question: 'Where is the kingfisher manual?' }])
  expect((await acme.delete(erased.path)).status).toBe(204)
  const [group, ...others] = await unanswered()
  expect(others).toEqual([])
  expect(group).toMatchObject({ count: 2, question: 'The kingfisher manual, where is it?' })
  expect(JSON.stringify(group)).not.toMatch(new RegExp(`Where is the|${erased.id}`))
  // Words that others used, too.
  const same = await ask('The kingfisher manual, where is it?')
  expect((await acme.delete(same.path)).status).toBe(204)
  expect(await unanswered()).toMatchObject([{ count: 3, question: 'The kingfisher manual, where is it?' }])
  expect(JSON.stringify(await unanswered())).not.toContain(same.id)
  // The next one still finds its group.
  await ask('Where is the kingfisher manual, please?')
  expect(await unanswered()).toMatchObject([{ count: 4 }])
})

test('a long conversation is erased in several transactions', async () => {
  const acme = await harness.createTenant()
  const visitor = await createConversation(harness, acme, { status: 'open' })
  const { id, path } = visitor
  const { kysely } = harness.service.database
  await visitor.say('zebrafinch')
  const message = await kysely
    .selectFrom('messages')
    .selectAll()
    .where('org_id', '=', acme.orgId)
    .where('conversation_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const messages = Array.from({ length: 210 }, () => ({ ...message, id: newId() }))
  await harness.service.database.write((tx) => insertTestRows(tx, 'messages', messages))
  const note = { org_id: acme.orgId, conversation_id: id, author_id: null, content: 'zebrafinch' }
  const notes = Array.from({ length: 410 }, () => ({ ...note, id: newId(), created_at: timestamp(harness.nowMs()) }))
  await harness.service.database.write((tx) => insertTestRows(tx, 'conversation_notes', notes))
  expect((await acme.delete(path)).status).toBe(204)
  expect(await tablesWith('zebrafinch')).toEqual([])
  const rows = await kysely.selectFrom('messages').select('id').where('org_id', '=', acme.orgId).execute()
  expect(rows).toEqual([])
  expect((await acme.get(`/v1/conversations/${id}`)).status).toBe(410)
})

test('files go with their conversation, unless another one has them too', async () => {
  const acme = await harness.createTenant()
  const config = testConfig(harness)
  const assets = assetSettings(config, harness.service.database, await openAssetStore(config))
  const store = async (content: string) => {
    const staged = await assets.store.stage([Buffer.from(content)])
    const ctx = { orgId: acme.orgId, now: timestamp(harness.nowMs()), log: createLogger('silent') }
    const file = { staged, mediaType: 'image/jpeg', extension: 'jpg', fileName: 'x.jpg' }
    const asset = await storeAsset(ctx, file, 'private', assets)
    if (asset === undefined) throw new Error('there is no room')
    const { id, file_name, media_type, size_bytes } = asset
    return { id, file_name, media_type, size_bytes }
  }
  const [own, shared] = [await store('own'), await store('shared')]
  const [one, other] = [await createConversation(harness, acme), await createConversation(harness, acme)]
  await one.say('Look', { files: [own, shared] })
  await other.say('Look', { files: [shared] })
  await acme.delete(one.path)
  const left = await harness.service.database.kysely
    .selectFrom('assets')
    .select('id')
    .where('org_id', '=', acme.orgId)
    .execute()
  expect(left.map(({ id }) => id)).toEqual([shared.id])
  expect((await acme.get(`${other.path}/files/${shared.id}`)).status).toBe(200)
  await acme.delete(other.path)
  expect((await acme.get(`${other.path}/files/${shared.id}`)).status).toBe(410)
})

test('a visitor who writes while the conversation is erased is told so, or what they wrote is erased as well', async () => {
  const acme = await harness.createTenant()
  for (let n = 0; n < 2; n++) {
    const visitor = await createConversation(harness, acme)
    const conversation = { ...(await visitor.find()) }
    const now = timestamp(harness.nowMs())
    const message = { text: 'zebrafinch', files: [], messageKey: null }
    await Promise.allSettled([
      acme.delete(visitor.path),
      visitor.write((tx) => visitor.conversations.addVisitorMessage(tx, conversation, message, now)),
    ])
    expect((await acme.get(visitor.path)).status).toBe(410)
    expect(await tablesWith('zebrafinch')).toEqual([])
  }
})
