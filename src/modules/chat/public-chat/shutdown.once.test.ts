import { afterAll, expect, test } from 'vitest'
import { startService } from '../../../main/service.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { ChatPage } from '../../../testing/chat-page.ts'
import { Client } from '../../../testing/client.ts'
import { createBot } from '../../../testing/data/conversations.ts'
import { createDatabase } from '../../../testing/engines/database.ts'
import { testConfig } from '../../../testing/harness.ts'
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
  const config = { ...testConfig(database), trustProxy: settings.TRUST_PROXY }
  const second = await startService(config, 'all', createLogger('silent'))
  const elsewhere = new ChatPage({ baseUrl: `http://localhost:${second.port}` }, bot, page.address)
  for (const [name, value] of page.cookies) elsewhere.cookies.set(name, value)
  expect(await elsewhere.open()).toContain('Your request is waiting for our team.')
  const stream = await elsewhere.listen()
  await Promise.all([second.close(), stream.ended()])
  await database.drop()
})
