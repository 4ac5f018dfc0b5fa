import { describe, expect, test } from 'vitest'
import { check, drill } from './idempotency/index.ts'
import * as scans from './scans/index.ts'
import { checkNothingLost, soak } from './soak/index.ts'
import * as submissions from './submissions/index.ts'
import * as webhooks from './webhooks/index.ts'

/** Short versions of the drills; `npm run drill` runs the full ones. */
test.each(['sqlite', 'postgres'] as const)(
  'on %s, one idempotency key has one effect and one response while processes are killed',
  { timeout: 120_000 },
  async (engine) => {
    const size = { keys: 12, duplicates: 10, kills: 2 }
    const report = await drill(engine, size)
    check(report, size)
    expect(report.kills).toBeGreaterThan(0)
  },
)

test('every redirect is counted exactly once while the service is killed', { timeout: 120_000 }, async () => {
  scans.check(await scans.killService('sqlite', 2))
})

test('codes redirect while the database is down, and no scan is lost when the service is killed', {
  timeout: 120_000,
}, async () => {
  scans.check(await scans.stopDatabase(3000, 'killed'))
})

test.each(['sqlite', 'postgres'] as const)(
  'on %s, submissions are stored once and numbered without gaps while the service is killed',
  { timeout: 120_000 },
  async (engine) => {
    const size = { visitors: 32, forms: 20, kills: 2 }
    submissions.check(await submissions.drill(engine, size), size)
  },
)

describe.each([
  { engine: 'sqlite', faults: 3 },
  // Each fault costs the time until the lease of the killed worker expires.
  { engine: 'postgres', faults: 1 },
] as const)('on $engine', ({ engine, faults }) => {
  test('every event arrives unchanged while workers are killed', { timeout: 180_000 }, async () => {
    webhooks.checkKills(await webhooks.killWorkers(engine, 2000, faults))
  })

  test('an endpoint that hangs delays no other organisation', { timeout: 120_000 }, async () => {
    webhooks.checkBadTenant(await webhooks.hangTenant(engine, 1000, 20))
  })

  test('every delivery can be verified while the secret is rotated', { timeout: 120_000 }, async () => {
    webhooks.checkRotation(await webhooks.rotateSecrets(engine, 3))
  })
})

test('nothing is lost while a tenant attacks and the service is killed', { timeout: 240_000 }, async () => {
  const report = await soak('sqlite', { phases: 9, phaseSeconds: 2, phasesPerKill: 4, tenants: 4 })
  checkNothingLost(report)
  expect(report.kills).toBe(2)
})
