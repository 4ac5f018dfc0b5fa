import type { Outcome } from './load.ts'
import { median, ms, ratio, whole } from './table.ts'

/** Until the hot code is compiled. */
const WARM_UP_SECONDS = 2
/** Below this the bare server waited for something else than itself, and is no limit. */
const BUSY_SHARE_MIN = 0.9

export interface Measurable {
  server: { cpuMicros(): Promise<number> }
}

/** The processor time is that of the server's process: on a machine that is busy with other things it wavers less. */
export type Measured = Outcome & { cpuMicrosEach: number }

/** Many short rounds in turn rather than a few long ones: whatever else the machine does then touches all alike. */
export async function measureInTurn<Target extends Measurable>(
  targets: readonly Target[],
  send: (target: Target, seconds: number) => Promise<Outcome>,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Measured[][]> {
  for (const target of targets) await send(target, WARM_UP_SECONDS)
  const measured = targets.map((): Measured[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, target] of targets.entries()) {
      const cpuBefore = await target.server.cpuMicros()
      const outcome = await send(target, seconds)
      const cpuMicros = (await target.server.cpuMicros()) - cpuBefore
      measured[index]?.push({ ...outcome, cpuMicrosEach: cpuMicros / outcome.answers })
    }
  }
  return measured
}

/** The middle of what is picked in each round, beside what another server did in the same one. */
export const middleOf = (
  rounds: readonly Measured[],
  others: readonly Measured[],
  pick: (one: Measured, sameRound: Measured) => number,
): number => median(rounds.map((one, round) => pick(one, others[round] ?? one)))

export const CELLS = ['p50', 'p99', 'of bare', 'CPU each', 'of bare']

/** How many a second, and `CELLS`. Ratios are taken within each round, because the machine is not equally busy in all. */
export function toCells(rounds: readonly Measured[], bare: readonly Measured[]): string[] {
  const middle = (pick: (one: Measured, sameRound: Measured) => number) => middleOf(rounds, bare, pick)
  return [
    whole(middle(({ perSecond }) => perSecond)),
    ms(middle(({ p50Ms }) => p50Ms)),
    ms(middle(({ p99Ms }) => p99Ms)),
    ratio(middle((one, limit) => one.perSecond / limit.perSecond)),
    `${whole(middle(({ cpuMicrosEach }) => cpuMicrosEach))} µs`,
    ratio(middle((one, limit) => limit.cpuMicrosEach / one.cpuMicrosEach)),
  ]
}

/** Says so when the bare server was no limit. */
export function noteIdleBare(bare: readonly Measured[]): void {
  const share = median(bare.map(({ perSecond, cpuMicrosEach }) => (perSecond * cpuMicrosEach) / 1e6))
  if (share >= BUSY_SHARE_MIN) return
  console.log(
    `\nThe bare server got only ${Math.round(share * 100)} % of a processor: the load or the machine held it back.` +
      '\nWhat it did in a second is too little and ratios to that too good; the ratios of CPU time still hold.',
  )
}
