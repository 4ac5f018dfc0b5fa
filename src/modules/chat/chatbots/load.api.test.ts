import { expect, test } from 'vitest'
import { DAY_MS, timestamp } from '../../../platform/clock/index.ts'
import { createBot } from '../../../testing/data/conversations.ts'
import { useHarness } from '../../../testing/harness.ts'
import { noticeLoad } from './load.ts'

const harness = useHarness({ role: 'api' })

test('unusual load is noticed once, also by requests at the same moment, and again after the clock was set back', async () => {
  const acme = await harness.createTenant()
  const { id } = await createBot(acme)
  const told: string[] = []
  const mails = { toOwners: async () => void told.push('mail') }
  const nowMs = harness.nowMs()
  for (const atMs of [nowMs, nowMs - 5, nowMs + 5, nowMs - 2 * DAY_MS])
    await harness.service.database.write((tx) =>
      noticeLoad(tx, { id, orgId: acme.orgId, name: 'Acme' }, 'unusual', { mails, perDay: 5 }, timestamp(atMs)),
    )
  expect(told).toHaveLength(2)
})
