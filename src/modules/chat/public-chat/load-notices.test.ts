import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../platform/clock/index.ts'
import type { PublicChatbot } from './chatbots/index.ts'
import { LoadNotices } from './load-notices.ts'

test('the database is asked again after an hour, and at once when the clock was set back by more than that', async () => {
  let asked = 0
  const database = {
    write: async () => {
      asked++
    },
  } as any
  const notices = new LoadNotices({ database, mails: { toOwners: async () => undefined } as any, perDay: 100 })
  const noteAt = async (nowMs: number) => {
    await notices.note({ id: 'bot', orgId: 'org' } as unknown as PublicChatbot, 'unusual', nowMs)
    return asked
  }
  const nowMs = 1_800_000_000_000
  expect([await noteAt(nowMs), await noteAt(nowMs + HOUR_MS - 1), await noteAt(nowMs + HOUR_MS)]).toEqual([1, 1, 2])
  expect([await noteAt(nowMs), await noteAt(nowMs + 1), await noteAt(nowMs - HOUR_MS)]).toEqual([3, 3, 4])
})
