import { expect, test } from 'vitest'
import { openDatabase } from '../../../platform/db/open.ts'
import { createConversation } from '../../../testing/data/conversations.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'
import { CONVERSATIONS_TOPIC, SIGNALS_TOPIC } from './index.ts'

const harness = useHarness({ role: 'api' })

/** Collects what another process, or this one on SQLite, receives about conversations. */
async function listen() {
  const another = harness.engine === 'postgres' ? await openDatabase(harness.location) : undefined
  const told: string[] = []
  let isListening = false
  const stop = (another ?? harness.service.database).listen({
    changed: (topic, key) => {
      if (topic === CONVERSATIONS_TOPIC || topic === SIGNALS_TOPIC) told.push(`${topic} ${key}`)
    },
    interrupted: () => {},
    resumed: () => {
      isListening = true
    },
  })
  await eventually(() => isListening)
  return {
    told,
    close: async () => {
      stop()
      await another?.close()
    },
  }
}

test('every change is announced to all processes, and so are typing and read marks', async () => {
  const acme = await harness.createTenant()
  const visitor = await createConversation(harness, acme, { status: 'agent_requested' })
  const { id, path } = visitor
  const { told, close } = await listen()
  try {
    await acme.post(`${path}/typing`)
    await acme.post(`${path}/messages`, { text: 'Hello' })
    await visitor.say('Hi')
    const read = await acme.post(`${path}/read`)
    await acme.patch(path, { priority: 'high' })
    await eventually(() => told.length === 5)
    expect(told).toEqual([
      `conversation-signals ${id} agent_typing`,
      `conversations ${id}`,
      `conversations ${id}`,
      `conversation-signals ${id} agent_read`,
      `conversations ${id}`,
    ])
    const { body } = await acme.get(path)
    expect(body.agent_read_at).toBe(read.body.agent_read_at)
    expect(body.visitor_read_at).not.toBeNull()
  } finally {
    await close()
  }
})

test('typing and reading have no event, and typing changes nothing', async () => {
  const acme = await harness.createTenant()
  const { path } = await createConversation(harness, acme, { status: 'open' })
  const before = (await acme.get(path)).body
  const last = (await acme.lastEvent()).id
  const typing = await acme.post(`${path}/typing`)
  expect(typing).toMatchObject({ status: 200, body: before })
  harness.advance(1000)
  const { body, status } = await acme.post(`${path}/read`)
  expect(status).toBe(200)
  expect(body).toEqual({ ...before, agent_read_at: body.agent_read_at })
  expect(body.agent_read_at > before.agent_read_at).toBe(true)
  expect((await acme.lastEvent()).id).toBe(last)
})
