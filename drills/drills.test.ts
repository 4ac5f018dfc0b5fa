import { expect, test } from 'vitest'
import { check, drill } from './idempotency.ts'
import * as scans from './scans.ts'

/** The short forms; `npm run drill` has the whole ones. */
test.each(['sqlite', 'postgres'] as const)(
  'on %s, one key has one effect and one answer while processes are killed',
  { timeout: 120_000 },
  async (engine) => {
    const size = { keys: 12, duplicates: 10, kills: 2 }
    const report = await drill(engine, size)
    check(report, size)
    expect(report.kills).toBeGreaterThan(0)
  },
)

test('a redirect that was sent was counted, once, while the service is killed', { timeout: 120_000 }, async () => {
  scans.check(await scans.killService('sqlite', 2))
})

test('codes lead on without their database, and nothing is lost with the service', { timeout: 120_000 }, async () => {
  scans.check(await scans.stopDatabase(3000, 'killed'))
})
