import { describe, expect, test } from 'vitest'
import { MINUTE_MS, timestamp } from '../../../platform/clock/index.ts'
import { ChatVisitor, createBot, createConversation } from '../../../testing/data/conversations.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { setBalance } from '../../account/credits/index.ts'
import { ConversationStatus } from './contract.ts'
import { ConversationEnded } from './index.ts'

const harness = useHarness({ role: 'api' })

const STATUSES = ConversationStatus.options

/** What a PATCH may do. */
const BY_PATCH: Record<ConversationStatus, ConversationStatus[]> = {
  bot_active: ['agent_requested'],
  agent_requested: ['agent_requested'],
  open: ['open', 'resolved', 'closed', 'archived'],
  resolved: ['resolved', 'open'],
  closed: ['closed', 'open'],
  archived: ['archived', 'open'],
}

/** One change from each status that a PATCH may not do. `lifecycle.test.ts` has all of them. */
const REFUSED: Record<ConversationStatus, ConversationStatus> = {
  bot_active: 'open',
  agent_requested: 'resolved',
  open: 'bot_active',
  resolved: 'closed',
  closed: 'archived',
  archived: 'agent_requested',
}
const CHANGES = STATUSES.flatMap((from) => [...BY_PATCH[from], REFUSED[from]].map((to) => [from, to] as const))

const eventsOf = async (tenant: Tenant) =>
  (await tenant.get('/v1/events?limit=100')).body.data
    .filter(({ type }: any) => /^(conversation|message)\./.test(type))
    .reverse()

describe('PATCH', () => {
  test.each(CHANGES)('%s → %s', async (from, to) => {
    const acme = await harness.createTenant()
    const { path } = await createConversation(harness, acme, { status: from })
    const before = (await acme.get(path)).body
    const known = await eventsOf(acme)
    harness.advance(MINUTE_MS)
    const reply = await acme.patch(path, { status: to })
    const { body: after } = await acme.get(path)
    const events = (await eventsOf(acme)).slice(known.length)
    if (!BY_PATCH[from].includes(to)) {
      expect(reply).toMatchObject({
        status: 422,
        body: { error: 'unprocessable', details: { field: 'status', value: to } },
      })
      expect(after).toEqual(before)
      expect(events).toEqual([])
      return
    }
    expect(reply).toMatchObject({ status: 200, body: after })
    if (from === to) {
      expect(after).toEqual(before)
      expect(events).toEqual([])
      return
    }
    const [updated, ...messages] = events
    const now = updated.created_at
    const resolved_at = to === 'resolved' ? now : null
    const closed_at = to === 'closed' ? now : null
    expect(after).toEqual({ ...before, status: to, resolved_at, closed_at })
    expect(updated).toMatchObject({ type: 'conversation.updated', data: after })
    expect(updated.data.changes).toEqual({
      status: { from, to },
      ...(before.resolved_at !== resolved_at && { resolved_at: { from: before.resolved_at, to: resolved_at } }),
      ...(before.closed_at !== closed_at && { closed_at: { from: before.closed_at, to: closed_at } }),
    })
    const notices = to === 'resolved' ? ['resolved'] : []
    expect(messages.map(({ type, data }: any) => [type, data.role, data.metadata.notice])).toEqual(
      notices.map((notice) => ['message.created', 'system', notice]),
    )
    const [newest] = (await acme.get(`${path}/messages?limit=1`)).body.data
    if (to === 'resolved') expect(newest).toEqual(messages[0].data)
    else expect(newest.metadata.notice).not.toBe(to)
  })
})

describe('a message of an agent', () => {
  test.each(STATUSES)('while it is %s', async (status) => {
    const acme = await harness.createTenant()
    const agent = await harness.createPerson(acme, 'agent')
    const { path } = await createConversation(harness, acme, { status })
    const before = (await acme.get(path)).body
    const known = await eventsOf(acme)
    const reply = await agent.post(`${path}/messages`, { text: 'I am here.' })
    const { body: after } = await acme.get(path)
    const events = (await eventsOf(acme)).slice(known.length)
    if (status !== 'agent_requested' && status !== 'open') {
      expect(reply).toMatchObject({
        status: 422,
        body: { error: 'unprocessable', details: { field: 'status', value: status } },
      })
      expect(after).toEqual(before)
      expect(events).toEqual([])
      return
    }
    expect(reply).toMatchObject({ status: 201, body: { role: 'assistant', metadata: { author_id: agent.userId } } })
    expect(after).toMatchObject({ status: 'open', last_message_preview: 'I am here.', resolved_at: null })
    const takesOver = status === 'agent_requested'
    expect(after.assigned_to).toBe(takesOver ? agent.userId : null)
    expect(events.map(({ type, data }: any) => [type, data.metadata?.notice])).toEqual([
      ...(takesOver
        ? [
            ['conversation.updated', undefined],
            ['message.created', 'agent_joined'],
          ]
        : []),
      ['message.created', undefined],
    ])
    expect(events.at(-1).data).toEqual(reply.body)
    const shown = (await acme.get(`${path}/messages?order=asc`)).body.data
    expect(shown.at(-1)).toEqual(reply.body)
    if (takesOver) expect(shown.at(-2)).toMatchObject({ role: 'system', metadata: { notice: 'agent_joined' } })
  })
})

describe('a visitor', () => {
  test.each(STATUSES)('who writes while it is %s', async (status) => {
    const acme = await harness.createTenant()
    const visitor = await createConversation(harness, acme, { status })
    const before = (await acme.get(visitor.path)).body
    const known = await eventsOf(acme)
    const writing = visitor.say('And for the big one?')
    if (['resolved', 'closed', 'archived'].includes(status)) {
      await expect(writing).rejects.toThrow(ConversationEnded)
      expect((await acme.get(visitor.path)).body).toEqual(before)
      expect(await eventsOf(acme)).toEqual(known)
    } else {
      expect(await writing).toMatchObject({ role: 'user', parts: [{ type: 'text', text: 'And for the big one?' }] })
      expect((await acme.get(visitor.path)).body).toMatchObject({
        status,
        last_message_preview: 'And for the big one?',
      })
    }
  })

  test.each(STATUSES)('who asks for a person while it is %s', async (status) => {
    const acme = await harness.createTenant()
    const visitor = await createConversation(harness, acme, { status })
    const known = await eventsOf(acme)
    const asking = visitor.askForAgent({ contact_email: 'visitor@acme.example', contact_name: 'Kim' })
    if (['resolved', 'closed', 'archived'].includes(status)) {
      await expect(asking).rejects.toThrow(ConversationEnded)
      expect(await eventsOf(acme)).toEqual(known)
      return
    }
    const expected = status === 'bot_active' ? 'agent_requested' : status
    expect(await asking).toMatchObject({ status: expected, contactEmail: 'visitor@acme.example', contactName: 'Kim' })
    const [updated, ...others] = (await eventsOf(acme)).slice(known.length)
    expect(updated.data.changes).toMatchObject({
      contact_email: { from: null, to: 'visitor@acme.example' },
      ...(status === 'bot_active' && { status: { from: 'bot_active', to: 'agent_requested' } }),
    })
    expect(others).toEqual([])
  })

  test.each(STATUSES)('gets no answer of the chatbot while it is %s, unless it is bot_active', async (status) => {
    const acme = await harness.createTenant()
    const visitor = await createConversation(harness, acme, { status })
    const [question] = await visitor.messagesAfter(null)
    await harness.service.database.write((tx) => setBalance(tx, acme.orgId, 10, timestamp(harness.nowMs())))
    const before = (await acme.get('/v1/credits')).body.balance
    const stored = await visitor.answer(question!.id)
    const spent = before - (await acme.get('/v1/credits')).body.balance
    if (status === 'bot_active') {
      expect(stored).toMatchObject({ role: 'assistant', metadata: { model: 'embedded', credits_used: 1 } })
      expect(spent).toBe(1)
    } else {
      expect(stored).toBe('no longer wanted')
      expect(spent).toBe(0)
    }
  })
})

describe('office hours', () => {
  const CLOSED = { time_zone: 'Europe/Berlin', days: {} }

  test.each([
    ['the away message of the chatbot', { away_message: 'Back on Monday. 🌙' }, 'Back on Monday. 🌙'],
    ['a message in the language of the visitor', {}, /^Zurzeit ist niemand erreichbar\./],
  ])('outside them, a visitor who asks for a person reads %s', async (_name, more, text) => {
    const acme = await harness.createTenant()
    const { id: chatbotId } = await createBot(acme, { office_hours: CLOSED, ...more })
    for (const ask of ['visitor', 'patch'] as const) {
      const visitor = await createConversation(harness, acme, { chatbotId, language: 'de' })
      if (ask === 'visitor') await visitor.askForAgent()
      else await acme.patch(visitor.path, { status: 'agent_requested' })
      const [notice] = (await acme.get(`${visitor.path}/messages?limit=1`)).body.data
      expect(notice).toMatchObject({
        role: 'system',
        metadata: { notice: 'away' },
        parts: [{ text: typeof text === 'string' ? text : expect.stringMatching(text) }],
      })
      expect((await acme.get(visitor.path)).body).toMatchObject({
        status: 'agent_requested',
        last_message_preview: 'How do I descale it?',
      })
      // Asking again does not repeat it.
      await visitor.askForAgent({ contact_email: 'visitor@acme.example' })
      expect(await visitor.messagesAfter(null)).toHaveLength(2)
    }
  })

  test('within them, and for a chatbot that was deleted, there is no such message', async () => {
    const acme = await harness.createTenant()
    const always = [{ from: '00:00', to: '24:00' }]
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
    const open = { time_zone: 'UTC', days: Object.fromEntries(days.map((day) => [day, always])) }
    const { id: chatbotId } = await createBot(acme, { office_hours: open, away_message: 'Away' })
    const visitor = await createConversation(harness, acme, { chatbotId })
    await visitor.askForAgent()
    expect(await visitor.messagesAfter(null)).toHaveLength(1)
    const { id: deleted } = await createBot(acme, { office_hours: CLOSED })
    const other = await createConversation(harness, acme, { chatbotId: deleted })
    expect((await acme.delete(`/v1/chatbots/${deleted}`)).status).toBe(204)
    expect((await acme.patch(other.path, { status: 'agent_requested' })).status).toBe(200)
    expect(await other.messagesAfter(null)).toHaveLength(1)
  })

  test('a person can be asked for before anything was written', async () => {
    const acme = await harness.createTenant()
    const { id: chatbotId } = await createBot(acme, { office_hours: CLOSED })
    const visitor = new ChatVisitor(harness, acme, chatbotId)
    await visitor.askForAgent({ contact_name: 'Kim' })
    expect((await eventsOf(acme)).map(({ type }: any) => type)).toEqual(['conversation.created', 'message.created'])
    expect((await acme.get(visitor.path)).body).toMatchObject({
      status: 'agent_requested',
      contact_name: 'Kim',
      last_message_at: null,
      last_message_preview: null,
    })
  })
})

test('of many agents who answer first at once, one takes over, and all messages are in the order of their ids', async () => {
  const acme = await harness.createTenant()
  const { path } = await createConversation(harness, acme, { status: 'agent_requested' })
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, n) => acme.post(`${path}/messages`, { text: `Hello ${n}` })),
  )
  for (const reply of replies) expect(reply.status).toBe(201)
  const { data } = (await acme.get(`${path}/messages?order=asc&limit=100`)).body
  const ids = data.map(({ id }: any) => id)
  expect(ids).toEqual([...ids].sort())
  const times = data.map(({ created_at }: any) => created_at)
  expect(times).toEqual([...times].sort())
  expect(data.filter(({ metadata }: any) => metadata.notice === 'agent_joined')).toHaveLength(1)
  expect(data).toHaveLength(14)
  const events = (await eventsOf(acme)).filter(({ type }: any) => type === 'message.created')
  expect(events.map(({ data }: any) => data.id)).toEqual(ids)
})
