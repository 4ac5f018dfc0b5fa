import { setTimeout as sleep } from 'node:timers/promises'
import { Attacker } from '../attacker.ts'
import { both, type Finding, type Scenario, underAttack } from '../finding.ts'
import { onStage, type Stage } from '../stage.ts'

const CLOSED_WITHIN_MS = 90_000
const POLL_MS = 1000

/** Connections that request a large file and never read it. */
export const slowReaders: Scenario = {
  number: 3,
  title: '400 connections that never read /docs/viewer.js',
  run: (engine) =>
    onStage(engine, {}, async (stage) => {
      const attacked = await underAttack(stage, { attack: 'slowReaders' }, ['scan', 'me'])
      return both(attacked, await closedInTime(stage, 'slowReaders'))
    }),
}

/** Whether the service closes the connections of an attack by itself. */
export async function closedInTime(stage: Stage, attack: 'slowReaders' | 'stalledBodies'): Promise<Finding> {
  await sleep(POLL_MS)
  const before = stage.openSockets()
  await using _attacker = await Attacker.start(stage, { attack })
  await sleep(2 * POLL_MS)
  const startedMs = performance.now()
  let open = Math.max(0, stage.openSockets() - before)
  let most = open
  while (open > 0 && performance.now() - startedMs < CLOSED_WITHIN_MS) {
    await sleep(POLL_MS)
    open = Math.max(0, stage.openSockets() - before)
    most = Math.max(most, open)
  }
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  return {
    holds: open === 0,
    figures: open === 0 ? `all closed after ${seconds} s` : `${open} of ${most} still open after ${seconds} s`,
  }
}
