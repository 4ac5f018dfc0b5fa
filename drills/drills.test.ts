import { afterAll, describe, expect, test } from 'vitest'
import { killProcesses } from '../src/testing/process.ts'
import { findCaddy, NO_CADDY } from '../src/testing/world/caddy.ts'
import * as credits from './credits/index.ts'
import { check, drill } from './idempotency/index.ts'
import * as rollingRestart from './rolling-restart/index.ts'
import * as scans from './scans/index.ts'
import { checkNothingLost, soak } from './soak/index.ts'
import * as submissions from './submissions/index.ts'
import * as webhooks from './webhooks/index.ts'

afterAll(killProcesses)

/** Short versions of the drills; `npm run drill` runs the full ones. The longest come first. */
describe.concurrent('nothing is lost', () => {
  test.each([
    // Each fault costs the time until the lease of the killed worker expires.
    { engine: 'postgres', faults: 1 },
    { engine: 'sqlite', faults: 3 },
  ] as const)('on $engine, every event arrives unchanged while workers are killed', async ({ engine, faults }) => {
    webhooks.checkKills(await webhooks.killWorkers(engine, 2000, faults))
  })

  test('while a tenant attacks and the service is killed', async () => {
    const report = await soak('sqlite', { phases: 9, phaseSeconds: 2, phasesPerKill: 4, tenants: 4 })
    checkNothingLost(report)
    expect(report.kills).toBe(2)
  })

  test('while two instances behind Caddy are restarted one after the other', async ({ skip }) => {
    const program = (await findCaddy()) ?? skip(NO_CADDY)
    const size = { clients: 2, pauseMs: 50, restarts: 1, drainSeconds: 2 }
    rollingRestart.check(await rollingRestart.drill(program, size), size)
  })

  test('codes redirect while the database is down, and no scan is lost when the service is killed', async () => {
    scans.check(await scans.stopDatabase(3000, 'killed'))
  })

  test('every redirect is counted exactly once while the service is killed', async () => {
    scans.check(await scans.killService('sqlite', 2))
  })

  test.each(['postgres', 'sqlite'] as const)(
    'on %s, one idempotency key has one effect and one response while processes are killed',
    async (engine) => {
      const size = { keys: 12, duplicates: 10, kills: 2 }
      const report = await drill(engine, size)
      check(report, size)
      expect(report.kills).toBeGreaterThan(0)
    },
  )

  test.each(['postgres', 'sqlite'] as const)(
    'on %s, submissions are stored once and numbered without gaps while the service is killed',
    async (engine) => {
      const size = { visitors: 32, forms: 20, kills: 2 }
      submissions.check(await submissions.drill(engine, size), size)
    },
  )

  test.each(['postgres', 'sqlite'] as const)(
    'on %s, every answer is charged once and the balance is exact while the service is killed',
    async (engine) => {
      const size = { askers: 16, questions: 30, credits: 400, kills: 2 }
      credits.check(await credits.drill(engine, size), size)
    },
  )
})

/** One after the other: they measure how late a delivery arrives. */
describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  test('an endpoint that hangs delays no other organisation', async () => {
    webhooks.checkBadTenant(await webhooks.hangTenant(engine, 1000, 20))
  })

  test('every delivery can be verified while the secret is rotated', async () => {
    webhooks.checkRotation(await webhooks.rotateSecrets(engine, 3))
  })
})
