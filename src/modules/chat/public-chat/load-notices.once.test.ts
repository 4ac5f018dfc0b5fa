import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../platform/clock/index.ts'
import { createRateLimiter } from '../../../platform/rate-limit/index.ts'
import { useHarness } from '../../../testing/harness.ts'
import { organisationPeople } from '../../account/members/index.ts'
import { Mails } from '../../mail/mails/index.ts'
import type { PublicChatbot } from './chatbots/index.ts'
import { LoadNotices } from './load-notices.ts'

const harness = useHarness({ role: 'api' })

test('owners get one notice a day, and one at once when the clock was set back by more than an hour', async () => {
  const acme = await harness.createTenant()
  const { body } = await acme.post('/v1/chatbots', { name: 'Care', status: 'active' })
  const { database, keyring } = harness.service
  const limiter = createRateLimiter(database)
  const mails = new Mails({ keyring, limiter, people: organisationPeople, canSend: false })
  const notices = new LoadNotices({ database, mails, perDay: 100 })
  const chatbot = { id: body.id, orgId: acme.orgId, name: body.name } as PublicChatbot
  const startedMs = harness.nowMs()
  const noticesAfter = async (ms: number) => {
    await notices.note(chatbot, 'unusual', startedMs + ms)
    const { body: entries } = await acme.get('/v1/audit-log?action=chatbot.load_unusual')
    return entries.data.length
  }
  expect(await noticesAfter(0)).toBe(1)
  expect(await noticesAfter(2 * HOUR_MS)).toBe(1)
  expect(await noticesAfter(DAY_MS)).toBe(2)
  expect(await noticesAfter(DAY_MS - HOUR_MS + 1)).toBe(2)
  expect(await noticesAfter(-HOUR_MS)).toBe(3)
  expect(await noticesAfter(-HOUR_MS + 1)).toBe(3)
})
