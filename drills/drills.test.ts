import { describe, expect, test } from 'vitest'
import { check, drill } from './idempotency/index.ts'
import * as scans from './scans/index.ts'
import * as webhooks from './webhooks/index.ts'

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

describe.each([
  { engine: 'sqlite', blows: 3 },
  // What a killed worker was sending for waits until its lease is over; each blow costs as long as that.
  { engine: 'postgres', blows: 1 },
] as const)('on $engine', ({ engine, blows }) => {
  test('what happened arrives, as it happened, while workers are killed', { timeout: 180_000 }, async () => {
    webhooks.checkKills(await webhooks.killWorkers(engine, 1000, blows))
  })

  test('an endpoint that hangs delays nobody else’s', { timeout: 120_000 }, async () => {
    webhooks.checkBadTenant(await webhooks.hangTenant(engine, 1000, 20))
  })

  test('every delivery can be verified while the secret is rotated', { timeout: 120_000 }, async () => {
    webhooks.checkRotation(await webhooks.rotateSecrets(engine, 3))
  })
})
