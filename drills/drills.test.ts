import { afterAll, describe, expect, test } from 'vitest'
import { killProcesses } from '../src/testing/process.ts'
import { findCaddy, NO_CADDY } from '../src/testing/world/caddy.ts'
import * as rollingRestart from './rolling-restart/index.ts'
import * as scans from './scans/index.ts'
import { checkNothingLost, soak } from './soak/index.ts'
import { killOnce } from './together.ts'
import * as webhooks from './webhooks/index.ts'

afterAll(killProcesses)

/** Short versions of the drills; `npm run drill` runs the full ones. The longest come first. */
describe.concurrent('nothing is lost', () => {
  test('while a tenant attacks and the service is killed', async () => {
    // It publishes, renders and creates batches. The service is killed while their work is not done.
    const arms = { endpoints: 5, largeArticles: 2 }
    const report = await soak('sqlite', { phases: 3, phaseSeconds: 1, phasesPerKill: 3, tenants: 2, arms })
    checkNothingLost(report)
    expect(report.kills).toBe(1)
  })

  test('while two instances behind Caddy are restarted one after the other', async ({ skip }) => {
    const program = (await findCaddy()) ?? skip(NO_CADDY)
    const size = { clients: 2, pauseMs: 100, restarts: 1, drainSeconds: 2 }
    rollingRestart.check(await rollingRestart.drill(program, size), size)
  })

  test('codes redirect while the database is down, and no scan is lost when the service is killed', async () => {
    scans.check(await scans.stopDatabase(3000, 'killed', { connections: 8, pauseMs: 20 }))
  })

  test.each(['postgres', 'sqlite'] as const)(
    'on %s, every scan, form, charged answer and repeated request counts exactly once while the service is killed',
    killOnce,
  )
})

/** One after the other: they measure how late a delivery arrives. */
test.each(['sqlite', 'postgres'] as const)(
  'on %s, every event arrives unchanged while workers are killed, a secret is rotated and an endpoint hangs',
  (engine) =>
    webhooks.onStage(engine, async (stage) => {
      // Each fault costs the time until the lease of the killed worker expires.
      webhooks.checkKills(await webhooks.killWorkers(stage, 1000, 1))
      // The third rotation is the first one that takes effect at once.
      webhooks.checkRotation(await webhooks.rotateSecrets(stage, 3))
      webhooks.checkBadTenant(await webhooks.hangTenant(stage, 500, 20))
    }),
)
