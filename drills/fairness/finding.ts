import { ms } from '../../bench/support/table.ts'
import type { Engine } from '../../src/platform/db/types.ts'
import { Attacker, type AttackOrder } from './attacker.ts'
import type { AttackName } from './attacks.ts'
import type { Kind, Observations } from './observer.ts'
import { Observer } from './observer.ts'
import type { Statuses } from './sending.ts'
import type { Stage } from './stage.ts'

/** The result of a scenario on one engine. */
export interface Finding {
  holds: boolean
  figures: string
}

export interface Scenario {
  number: number
  title: string
  /** Returns undefined if the scenario does not apply to the engine. */
  run(engine: Engine): Promise<Finding | undefined>
}

/** Others may wait three times as long as without the attack. */
const SLOWER_MAX = 3
/** Below this, the difference is that of two processes on the same CPU. */
const NOISE_MS = 30
/** Where three times as long is not possible on two cores. */
const P99_MS_MAX: Partial<Record<AttackName, number>> = {
  // The main thread checks and creates the events and deliveries of 50 endpoints, and the workers send them.
  batches: 75,
  // On PostgreSQL, which writes 6,000 rows for each batch on the same processors, and where others wait for it several times.
  objects: 75,
  // Others write to the same disk.
  images: 75,
  // Each connection has to be accepted before it can be refused.
  idle: 75,
  stalledBodies: 50,
  // Others write to the same disk, one core draws photos all the time, and in the first second the main thread receives 600
  // forms. On PostgreSQL, a request comes to it several times.
  forms: 200,
  // Every write waits for the folds of thousands of scans a second, which use the writer and the disk.
  ownScans: 75,
  // The same, and one organisation has its documents of 32 KB checked, restored and simulated all the time, by the main thread.
  rules: 125,
  // On PostgreSQL, each message of a visitor is several transactions on the same processors.
  people: 75,
}
export const MEMORY_MB_MAX = 600
const IDLE_SECONDS = 6
const ATTACK_SECONDS = 20

export interface UnderAttack extends Finding {
  statuses: Statuses
}

interface AttackOptions {
  seconds?: number
  /** Observers open a connection for each request. */
  isFresh?: boolean
  /** What else is watched during the attack. */
  meanwhile?: (seconds: number) => Promise<void>
}

/** Compares what others see before and during the attack, and how much memory the service needs. */
export async function underAttack(
  stage: Stage,
  order: Omit<AttackOrder, 'port'>,
  kinds: readonly Kind[],
  { seconds = ATTACK_SECONDS, isFresh = false, meanwhile }: AttackOptions = {},
): Promise<UnderAttack> {
  await using observer = await Observer.start(stage)
  await observer.observe(kinds, 2, isFresh)
  const idle = await observer.observe(kinds, IDLE_SECONDS, isFresh)
  stage.takeMemoryMbMax()
  const attacker = await Attacker.start(stage, order)
  const [attacked] = await Promise.all([observer.observe(kinds, seconds, isFresh), meanwhile?.(seconds)])
  const memoryMb = stage.takeMemoryMbMax()
  const statuses = await attacker.stop()
  const rows = kinds.map((kind) => compare(kind, order.attack, idle, attacked))
  return {
    holds: rows.every(({ holds }) => holds) && memoryMb <= MEMORY_MB_MAX,
    figures: [...rows.map(({ figures }) => figures), `memory ${Math.round(memoryMb)} MB`].join('; '),
    statuses,
  }
}

/** What others may wait for during the attack. */
export const allowedP99Ms = (attack: AttackName, idleP99Ms: number): number =>
  Math.max(P99_MS_MAX[attack] ?? NOISE_MS, SLOWER_MAX * idleP99Ms)

function compare(kind: Kind, attack: AttackName, idle: Observations, attacked: Observations): Finding {
  const [before, during] = [idle.byKind[kind], attacked.byKind[kind]]
  if (before === undefined || during === undefined) throw new Error(`${kind} was not observed`)
  if (before.failed > 0) throw new Error(`${before.failed} × ${kind} failed without an attack: ${before.firstFailure}`)
  const ratio = during.p99Ms / before.p99Ms
  return {
    holds: during.failed === 0 && during.p99Ms <= allowedP99Ms(attack, before.p99Ms),
    figures: `${kind} p50 ${ms(before.p50Ms)} → ${ms(during.p50Ms)}, p99 ${ms(before.p99Ms)} → ${ms(during.p99Ms)} (× ${ratio.toFixed(1)}${during.failed > 0 ? `, ${during.failed} of ${during.count} failed: ${during.firstFailure}` : ''})`,
  }
}

export const both = (...findings: Finding[]): Finding => ({
  holds: findings.every(({ holds }) => holds),
  figures: findings.map(({ figures }) => figures).join('; '),
})
