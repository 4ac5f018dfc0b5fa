import { afterAll, expect, test } from 'vitest'
import { ChatPage } from '../../../testing/chat-page.ts'
import { Client } from '../../../testing/client.ts'
import { createBot } from '../../../testing/data/conversations.ts'
import { createDatabase } from '../../../testing/engines/database.ts'
import { createFirstKey, killProcesses, settingsFor, startServiceProcess } from '../../../testing/process.ts'

afterAll(killProcesses)

test('SIGTERM ends a process with open streams, and after it a visitor continues elsewhere', async () => {
  const database = await createDatabase()
  const settings = { ...settingsFor(database), TRUST_PROXY: '127.0.0.1' }
  const first = await startServiceProcess(settings)
  const client = new Client(first.url, await createFirstKey(settings))
  const bot = await createBot(client)
  const page = new ChatPage({ baseUrl: first.url }, bot)
  await page.sendByScript('agent', {})
  const streams = await Promise.all([1, 2, 3].map(() => page.listen()))
  first.send('SIGTERM')
  const [{ code }] = await Promise.all([first.ended, ...streams.map((stream) => stream.ended())])
  expect(code).toBe(0)
  const second = await startServiceProcess(settings)
  const elsewhere = new ChatPage({ baseUrl: second.url }, bot, page.address)
  for (const [name, value] of page.cookies) elsewhere.cookies.set(name, value)
  expect(await elsewhere.open()).toContain('We have told our team.')
  const stream = await elsewhere.listen()
  second.send('SIGTERM')
  await Promise.all([second.ended, stream.ended()])
  await database.drop()
})
