import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useHarness } from '../../testing/harness.ts'
import { LoopTurns } from '../bounded/index.ts'
import { openDatabase } from '../db/open.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { PacedWriter } from './paced-writer.ts'

const HELD_MS = 20

const harness = useHarness({ role: 'api' })

/** Returns the time between two transactions of background work. */
async function timeBetween(turns: LoopTurns): Promise<number> {
  const { orgId } = await harness.createTenant()
  const database = await openDatabase(harness.location)
  try {
    const writer = new PacedWriter(database, turns)
    await writer.write(orgId, () => sleep(HELD_MS))
    const endedAtMs = performance.now()
    await writer.write(orgId, async () => {})
    return performance.now() - endedAtMs
  } finally {
    await database.close()
  }
}

test('a transaction is followed by a rest', async () => {
  expect(await timeBetween(new LoopTurns(createMetrics()))).toBeGreaterThan(3 * HELD_MS)
})

test('the rest is three times as long while other organisations send requests', async () => {
  const turns = new LoopTurns(createMetrics())
  turns.note('another')
  expect(await timeBetween(turns)).toBeGreaterThan(9 * HELD_MS)
})
