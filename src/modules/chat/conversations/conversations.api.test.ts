import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../platform/clock/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { ChatVisitor, createBot, createConversation } from '../../../testing/data/conversations.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { testOnce } from '../../../testing/test-once.ts'

const harness = useHarness({ role: 'api' })

const idsOf = async (tenant: Tenant, query = ''): Promise<string[]> => {
  const reply = await tenant.get(`/v1/conversations?limit=100${query}`)
  expect(reply, reply.text).toMatchObject({ status: 200 })
  return reply.body.data.map(({ id }: any) => id)
}

describe('the list', () => {
  /** One conversation of each kind, oldest first. */
  async function createInbox() {
    const acme = await harness.createTenant()
    const [kim, lee] = [await harness.createPerson(acme, 'agent'), await harness.createPerson(acme, 'agent')]
    const [one, other] = [(await createBot(acme)).id, (await createBot(acme)).id]
    const create = async (chatbotId: string, changes: object, status?: 'open' | 'resolved' | 'agent_requested') => {
      harness.advance(1000)
      const { id, path } = await createConversation(harness, acme, { chatbotId, ...(status && { status }) })
      expect((await acme.patch(path, changes)).status).toBe(200)
      return id
    }
    const inbox = {
      bot: await create(one, {}),
      asked: await create(one, { priority: 'high' }, 'agent_requested'),
      kims: await create(other, { assigned_to: kim.userId }, 'open'),
      lees: await create(other, { assigned_to: lee.userId, priority: 'low' }, 'open'),
      done: await create(one, { assigned_to: kim.userId }, 'resolved'),
    }
    return { acme, kim, lee, one, other, inbox }
  }

  test('filters by chatbot, and by lists of statuses, priorities and people', async () => {
    const { acme, kim, lee, one, inbox } = await createInbox()
    const { bot, asked, kims, lees, done } = inbox
    const cases: [string, string[]][] = [
      ['', [done, lees, kims, asked, bot]],
      [`&chatbot_id=${one}`, [done, asked, bot]],
      [`&chatbot_id=${newId()}`, []],
      ['&status=open', [lees, kims]],
      ['&status=open,agent_requested', [lees, kims, asked]],
      ['&status=resolved,bot_active,open,open', [done, lees, kims, bot]],
      ['&priority=high', [asked]],
      ['&priority=low,high', [lees, asked]],
      ['&priority=medium', [done, kims, bot]],
      [`&assigned_to=${kim.userId}`, [done, kims]],
      [`&assigned_to=${kim.userId},${lee.userId}`, [done, lees, kims]],
      [`&assigned_to=${kim.userId.toUpperCase()}&include_unassigned=true`, [done, kims, asked, bot]],
      ['&assigned_to=&include_unassigned=true', [asked, bot]],
      ['&assigned_to=', []],
      [`&assigned_to=${kim.userId}&include_unassigned=false`, [done, kims]],
      ['&include_unassigned=true', [done, lees, kims, asked, bot]],
      [`&assigned_to=${kim.userId}&include_unassigned=true&status=open,bot_active&chatbot_id=${one}`, [bot]],
      [`&status=open&priority=low,medium&assigned_to=${lee.userId}`, [lees]],
      [`&status=resolved&include_unassigned=true&assigned_to=&priority=medium`, []],
    ]
    for (const [query, expected] of cases) expect(await idsOf(acme, query), query).toEqual(expected)
  })

  test('sorts by the beginning or by the last message, in both directions and over pages', async () => {
    const { acme, inbox } = await createInbox()
    const { bot, asked, kims, lees, done } = inbox
    harness.advance(1000)
    expect((await acme.post(`/v1/conversations/${kims}/messages`, { text: 'Once more' })).status).toBe(201)
    const orders = {
      '-created_at': [done, lees, kims, asked, bot],
      created_at: [bot, asked, kims, lees, done],
      '-last_message_at': [kims, done, lees, asked, bot],
      last_message_at: [bot, asked, lees, done, kims],
    }
    const statuses = ['', '&status=bot_active,agent_requested,open,resolved', '&priority=low,medium,high']
    for (const [sort, expected] of Object.entries(orders)) {
      for (const filter of statuses) {
        expect(await idsOf(acme, `&sort=${sort}${filter}`), sort).toEqual(expected)
        const seen: string[] = []
        for (let cursor = ''; ; ) {
          const { body } = await acme.get(`/v1/conversations?limit=2&sort=${sort}${filter}${cursor}`)
          seen.push(...body.data.map(({ id }: any) => id))
          if (!body.has_more) break
          cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
        }
        expect(seen).toEqual(expected)
      }
    }
    const { next_cursor } = (await acme.get('/v1/conversations?limit=2')).body
    const other = await acme.get(`/v1/conversations?sort=created_at&cursor=${encodeURIComponent(next_cursor)}`)
    expect(other.body.error).toBe('invalid_cursor')
  })

  testOnce.each([
    ['status=nonsense', 'invalid_query'],
    ['status=', 'invalid_query'],
    ['status=open,', 'invalid_query'],
    ['status=open&status=closed', 'invalid_query'],
    ['priority=none', 'invalid_query'],
    ['assigned_to=nonsense', 'invalid_id'],
    [`assigned_to=${newId()},`, 'invalid_id'],
    [`assigned_to=${Array.from({ length: 11 }, newId)}`, 'invalid_id'],
    ['chatbot_id=nonsense', 'invalid_id'],
    ['include_unassigned=1', 'invalid_query'],
    ['sort=name', 'invalid_query'],
  ])('refuses %s', async (query, error) => {
    const acme = await harness.createTenant()
    expect(await acme.get(`/v1/conversations?${query}`)).toMatchObject({ status: 400, body: { error } })
  })
})

describe('a conversation', () => {
  test('has what the visitor scanned, and begins with the first message, not before', async () => {
    const acme = await harness.createTenant()
    const bot = await createBot(acme)
    const objectId = newId()
    const visitor = new ChatVisitor(harness, acme, bot.id, {
      scanned: { kind: 'object', id: objectId },
      language: 'de',
    })
    expect((await acme.get(visitor.path)).status).toBe(404)
    expect(await idsOf(acme)).toEqual([])
    const message = await visitor.say('Wie entkalke ich sie? 🤔')
    const { body } = await acme.get(visitor.path)
    expect(body).toEqual({
      object: 'conversation',
      id: visitor.id,
      chatbot_id: bot.id,
      status: 'bot_active',
      priority: 'medium',
      title: null,
      summary: null,
      sentiment_score: null,
      contact_email: null,
      contact_name: null,
      contact_phone: null,
      assigned_to: null,
      language: 'de',
      last_message_preview: 'Wie entkalke ich sie? 🤔',
      last_message_at: message.created_at,
      agent_read_at: null,
      visitor_read_at: null,
      resolved_at: null,
      closed_at: null,
      created_at: expect.any(String),
      qr_code_id: null,
      product_id: null,
      object_id: objectId,
    })
    const events = (await acme.get('/v1/events?limit=100')).body.data.filter(({ type }: any) =>
      /^conv|^mess/.test(type),
    )
    expect(events.map(({ type, data }: any) => [type, data])).toEqual([
      ['message.created', message],
      ['conversation.created', body],
    ])
    expect((await acme.get(`/v1/chatbots/${bot.id}`)).body).toMatchObject({
      conversation_count: 1,
      last_active_at: message.created_at,
    })
  })

  test('a PATCH changes what was sent, with one event, and an empty one changes nothing', async () => {
    const acme = await harness.createTenant()
    const agent = await harness.createPerson(acme, 'agent')
    const { path, id } = await createConversation(harness, acme, { status: 'agent_requested' })
    const before = (await acme.get(path)).body
    expect((await acme.patch(path, {})).body).toEqual(before)
    const changes = {
      priority: 'high',
      title: 'Leak',
      contact_email: 'visitor@acme.example',
      contact_name: 'Kim',
      contact_phone: '+44 20 0000 0000',
      assigned_to: agent.userId,
    }
    const { body } = await agent.patch(path, changes)
    expect(body).toEqual({ ...before, ...changes })
    const event = await acme.lastEvent()
    expect(event).toMatchObject({ type: 'conversation.updated', data: body })
    expect(event.data.changes).toEqual(
      Object.fromEntries(
        Object.entries(changes).map(([name, to]) => [name, { from: name === 'priority' ? 'medium' : null, to }]),
      ),
    )
    await agent.patch(path, changes)
    expect((await acme.lastEvent()).id).toBe(event.id)
    const [entry] = (await acme.get(`/v1/audit-log?resource=${id}`)).body.data
    expect(entry).toMatchObject({
      action: 'conversation.updated',
      changes: { priority: { from: 'medium', to: 'high' }, title: { from: null, to: null, omitted: true } },
    })
    expect(JSON.stringify(entry)).not.toMatch(/Leak|visitor@|0000/)
  })

  test('a wrong status changes none of the other fields', async () => {
    const acme = await harness.createTenant()
    const { path } = await createConversation(harness, acme)
    expect((await acme.patch(path, { status: 'open', title: 'Leak' })).status).toBe(422)
    expect((await acme.get(path)).body.title).toBeNull()
  })

  testOnce.each([
    ['chatbot_id', newId()],
    ['created_at', '2026-06-09T22:50:58.806+00:00'],
    ['resolved_at', null],
    ['last_message_preview', 'x'],
    ['language', 'de'],
    ['status', null],
    ['priority', 'none'],
    ['title', ''],
    ['title', 'x'.repeat(301)],
    ['contact_email', 'nobody'],
    ['contact_name', ' '],
  ])('refuses %s: %j', async (name, value) => {
    const acme = await harness.createTenant()
    const { path } = await createConversation(harness, acme)
    expect(await acme.patch(path, { [name]: value })).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
  })

  test('only members can be assigned', async () => {
    const acme = await harness.createTenant()
    const { path } = await createConversation(harness, acme)
    const stranger = await harness.createPerson(await harness.createTenant(), 'owner')
    for (const assigned_to of [stranger.userId, newId()]) {
      expect(await acme.patch(path, { assigned_to })).toMatchObject({
        status: 422,
        body: { error: 'unprocessable', details: { field: 'assigned_to', value: assigned_to } },
      })
    }
  })

  test('another organisation finds nothing of it', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const { path } = await createConversation(harness, acme, { status: 'open' })
    const tag = (await acme.post('/v1/conversation-tags', { name: 'Warranty' })).body.id
    for (const reply of [
      await other.get(path),
      await other.patch(path, { title: 'Mine' }),
      await other.get(`${path}/messages`),
      await other.post(`${path}/messages`, { text: 'Hello' }),
      await other.post(`${path}/typing`),
      await other.post(`${path}/read`),
      await other.get(`${path}/notes`),
      await other.post(`${path}/notes`, { content: 'x' }),
      await other.get(`${path}/tags`),
      await other.put(`${path}/tags`, { tag_ids: [] }),
      await other.get(`${path}/files/${newId()}`),
      await other.delete(path),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { error: 'not_found' } })
    }
    const { path: own } = await createConversation(harness, other)
    expect(await other.put(`${own}/tags`, { tag_ids: [tag] })).toMatchObject({
      status: 422,
      body: { details: { field: 'tag_ids[0]', value: tag } },
    })
  })
})

describe('notes and tags', () => {
  test('a note has its author, and is in neither an event nor the audit log', async () => {
    const acme = await harness.createTenant()
    const agent = await harness.createPerson(acme, 'agent')
    const { path, id } = await createConversation(harness, acme)
    const last = (await acme.lastEvent()).id
    const created = await agent.post(`${path}/notes`, { content: '  Zebrafinch called.\n' })
    expect(created).toMatchObject({
      status: 201,
      body: {
        object: 'conversation_note',
        conversation_id: id,
        author_id: agent.userId,
        content: '  Zebrafinch called.\n',
      },
    })
    harness.advance(1000)
    const other = (await acme.post(`${path}/notes`, { content: 'Done' })).body
    expect(other.author_id).toBeNull()
    expect((await acme.get(`${path}/notes`)).body.data).toEqual([other, created.body])
    expect((await acme.lastEvent()).id).toBe(last)
    const { data } = (await acme.get(`/v1/audit-log?resource=${created.body.id}`)).body
    expect(data).toMatchObject([{ action: 'conversation_note.created' }])
    expect(JSON.stringify(data)).not.toContain('Zebrafinch')
    for (const content of ['', ' \n', 'x'.repeat(10_001)]) {
      expect((await acme.post(`${path}/notes`, { content })).status).toBe(400)
      expect((await acme.post(`${path}/notes`, { text: content })).status).toBe(400)
    }
  })

  test('text and content are accepted in messages and in notes, one of them', async () => {
    const acme = await harness.createTenant()
    const { path } = await createConversation(harness, acme, { status: 'open' })
    for (const body of [{ text: 'Hello' }, { content: 'Hello' }]) {
      const message = await acme.post(`${path}/messages`, body)
      expect(message).toMatchObject({ status: 201, body: { parts: [{ type: 'text', text: 'Hello' }] } })
      const note = await acme.post(`${path}/notes`, body)
      expect(note).toMatchObject({ status: 201, body: { content: 'Hello' } })
      expect(note.body).not.toHaveProperty('text')
    }
    const both = { text: 'Hello', content: 'Hello' }
    const refused = async (resource: string, body: object) => {
      const { status, body: error } = await acme.post(`${path}/${resource}`, body)
      expect([status, error.error]).toEqual([400, 'invalid_payload'])
      return error.details.fieldErrors
    }
    expect(await refused('messages', both)).toEqual({ content: ['Must not be combined with text'] })
    expect(await refused('notes', both)).toEqual({ text: ['Must not be combined with content'] })
    expect(await refused('notes', {})).toEqual({ content: ['Required'] })
    expect(await refused('messages', { content: ' ' })).toEqual({ content: ['Must not be blank'] })
  })

  testOnce('the API document has one of the two, and examples that are accepted', async () => {
    const acme = await harness.createTenant()
    const { path } = await createConversation(harness, acme, { status: 'open' })
    const { schemas } = (await acme.get('/v1/openapi.json')).body.components
    expect(Object.keys(schemas.MessageCreate.properties)).toEqual(['text', 'attachments'])
    expect(schemas.ConversationNoteCreate).toMatchObject({
      properties: { content: { type: 'string' } },
      required: ['content'],
    })
    expect(schemas.ConversationNoteCreate.properties).not.toHaveProperty('text')
    expect((await acme.post(`${path}/messages`, schemas.MessageCreate.examples[0])).status).toBe(201)
    expect((await acme.post(`${path}/notes`, schemas.ConversationNoteCreate.examples[0])).status).toBe(201)
  })

  test('tags are replaced as a whole, and deleting a tag removes it from conversations', async () => {
    const acme = await harness.createTenant()
    const { path, id } = await createConversation(harness, acme)
    const create = async (name: string, color?: string) =>
      (await acme.post('/v1/conversation-tags', { name, ...(color && { color }) })).body
    const [one, other] = [await create('Warranty', '#1a2b3c'), await create('Spare parts')]
    expect([one.color, other.color]).toEqual(['#1a2b3c', null])
    const put = await acme.put(`${path}/tags`, { tag_ids: [one.id, other.id] })
    expect(put).toMatchObject({ status: 200, body: { total: 2, data: [other, one] } })
    expect((await acme.get(`${path}/tags`)).body).toEqual(put.body)
    const [entry] = (await acme.get(`/v1/audit-log?resource=${id}`)).body.data
    expect(entry.changes).toEqual({ tags: { from: [], to: ['Spare parts', 'Warranty'] } })
    expect((await acme.delete(`/v1/conversation-tags/${other.id}`)).status).toBe(204)
    expect((await acme.get(`${path}/tags`)).body).toMatchObject({ total: 1, data: [one] })
    expect((await acme.put(`${path}/tags`, { tag_ids: [other.id] })).status).toBe(422)
    expect((await acme.get(`${path}/tags`)).body.total).toBe(1)
    expect((await acme.put(`${path}/tags`, { tag_ids: [] })).body).toMatchObject({ total: 0, data: [] })
    expect((await acme.post('/v1/conversation-tags', { name: 'wARRANTY' })).body).toMatchObject({
      error: 'conflict',
      details: { field: 'name', value: 'wARRANTY' },
    })
  })
})

describe('who may do what', () => {
  test('members read, agents answer, and only a person who is signed in erases', async () => {
    const acme = await harness.createTenant()
    const { path } = await createConversation(harness, acme, { status: 'open' })
    const [member, agent] = [await harness.createPerson(acme, 'member'), await harness.createPerson(acme, 'agent')]
    expect((await member.get(path)).status).toBe(200)
    expect((await member.post(`${path}/messages`, { text: 'x' })).status).toBe(403)
    expect((await member.delete(path)).status).toBe(403)
    expect((await agent.post(`${path}/messages`, { text: 'x' })).status).toBe(201)
    expect((await harness.client(acme.apiKey).delete(path)).status).toBe(403)
    const viewer = harness.client(harness.scoped.issue(acme.orgId, ['conversations.view'], 'grant'))
    expect((await viewer.get(`${path}/messages`)).status).toBe(200)
    expect((await viewer.patch(path, {})).body).toMatchObject({ details: { required_scope: 'conversations.manage' } })
    expect((await agent.delete(path)).status).toBe(204)
  })
})

test('changes at once leave the stamps and the status together', async () => {
  const acme = await harness.createTenant()
  const { path } = await createConversation(harness, acme, { status: 'open' })
  harness.advance(MINUTE_MS)
  const statuses = ['resolved', 'closed', 'archived', 'open']
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_, n) => acme.patch(path, { status: statuses[n % 4], title: `Attempt ${n}` })),
  )
  for (const reply of replies) expect([200, 422]).toContain(reply.status)
  const { status, resolved_at, closed_at } = (await acme.get(path)).body
  expect([resolved_at !== null, closed_at !== null]).toEqual([status === 'resolved', status === 'closed'])
  const { data } = (await acme.get('/v1/events?type=conversation.updated&limit=100')).body
  for (const [n, event] of data.entries()) {
    const earlier = data[n + 1]
    const from = event.data.changes.status?.from
    if (earlier !== undefined && from !== undefined) expect(earlier.data.status).toBe(from)
  }
})
