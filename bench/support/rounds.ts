import type { Usage } from './children.ts'
import type { LoadResult } from './load.ts'
import { median, ms, ratio, whole } from './table.ts'

/** Time for the JIT to compile the hot code: the code of a write takes about 15,000 requests. */
export const WARM_UP_SECONDS = 6
/** If the bare server used less of a CPU than this, something else held it back and it is not the upper limit. */
const BUSY_SHARE_MIN = 0.9

export interface Measurable {
  server: { usage(): Promise<Pick<Usage, 'cpuMicros' | 'mainThreadMicros'>> }
}

/** The CPU time of the server process, and of its main thread: on a busy machine they vary less than the rate. */
export type Measured = LoadResult & { cpuMicrosEach: number; mainThreadMicrosEach: number }

/** Alternates between the targets in many short rounds, so that other load on the machine affects all equally. */
export async function measureInTurn<Target extends Measurable>(
  targets: readonly Target[],
  send: (target: Target, seconds: number) => Promise<LoadResult>,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Measured[][]> {
  for (const target of targets) await send(target, WARM_UP_SECONDS)
  const measured = targets.map((): Measured[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, target] of targets.entries()) {
      const before = await target.server.usage()
      const outcome = await send(target, seconds)
      const after = await target.server.usage()
      measured[index]?.push({
        ...outcome,
        cpuMicrosEach: (after.cpuMicros - before.cpuMicros) / outcome.responses,
        mainThreadMicrosEach: (after.mainThreadMicros - before.mainThreadMicros) / outcome.responses,
      })
    }
  }
  return measured
}

/** Returns the median over the rounds. `pick` also gets the same round of another target, for ratios. */
export const medianOf = (
  rounds: readonly Measured[],
  others: readonly Measured[],
  pick: (one: Measured, sameRound: Measured) => number,
): number => median(rounds.map((one, round) => pick(one, others[round] ?? one)))

export const COLUMNS = ['p50', 'p99', 'vs bare', 'CPU/request', 'vs bare']

/**
 * Returns the rate and the cells for `COLUMNS`. Ratios are computed within each round, because the load on the machine
 * changes between rounds.
 */
export function toCells(rounds: readonly Measured[], bare: readonly Measured[]): string[] {
  const middle = (pick: (one: Measured, sameRound: Measured) => number) => medianOf(rounds, bare, pick)
  return [
    whole(middle(({ perSecond }) => perSecond)),
    ms(middle(({ p50Ms }) => p50Ms)),
    ms(middle(({ p99Ms }) => p99Ms)),
    ratio(middle((one, limit) => one.perSecond / limit.perSecond)),
    `${whole(middle(({ cpuMicrosEach }) => cpuMicrosEach))} µs`,
    ratio(middle((one, limit) => limit.cpuMicrosEach / one.cpuMicrosEach)),
  ]
}

/** Prints a warning when the bare server was not CPU-bound and therefore is not the upper limit. */
export function warnIfBareIdle(bare: readonly Measured[]): void {
  const share = median(bare.map(({ perSecond, cpuMicrosEach }) => (perSecond * cpuMicrosEach) / 1e6))
  if (share >= BUSY_SHARE_MIN) return
  console.log(
    `\nThe bare server used only ${Math.round(share * 100)} % of a CPU: generator or machine was the bottleneck.` +
      '\nIts rate is too low, so the rate ratios look too good. The CPU time ratios are still valid.',
  )
}
