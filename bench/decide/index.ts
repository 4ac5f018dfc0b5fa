import { parseArgs } from 'node:util'
import { type CompiledRules, compileRules, type Facts } from '../../src/modules/codes/decisions/index.ts'
import { median, printTable, ratio, whole } from '../support/table.ts'
import { decideByHand, rulesOf } from './rules.ts'
import { makeScans } from './scans.ts'

export const about = 'what a decision by 1, 10 and 50 rules costs, compared with hand-written code'

const COUNTS = [1, 10, 50]
const SCANS = makeScans(100)
const DECISIONS = 20_000
const COMPILATIONS = 500
const AIM = { rules: 10, nanoseconds: 3000 }

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '31' } } })
  const rounds = Number(values.rounds)
  if (!rounds) throw new Error('--rounds must be a number')

  const table: string[][] = []
  let reached = Number.NaN
  for (const count of COUNTS) {
    const rules = compileRules(rulesOf(count))
    const matched = compare(rules, count)
    const { decided, byHand, compiled } = measure(rules, count, rounds)
    if (count === AIM.rules) reached = median(decided)
    table.push([
      String(count),
      `${matched} of ${SCANS.length}`,
      `${whole(median(decided))} ns`,
      `${whole(median(byHand))} ns`,
      // Within each round, because the load on the machine changes between rounds.
      ratio(median(decided.map((one, round) => one / (byHand[round] ?? one)))),
      `${(median(compiled) / 1000).toFixed(1)} µs`,
    ])
  }
  console.log(`${rounds} rounds of ${whole(DECISIONS)} decisions, alternating; medians.`)
  printTable(['rules', 'matched', 'decision', 'by hand', 'vs by hand', 'compilation'], table)
  if (reached > AIM.nanoseconds) {
    throw new Error(
      `a decision by ${AIM.rules} rules took ${whole(reached)} ns; the aim is ${whole(AIM.nanoseconds)} ns`,
    )
  }
}

/** Both have to decide the same. Returns how many of the scans a rule matches. */
function compare(rules: CompiledRules<string>, count: number): number {
  const matched = SCANS.filter((facts) => {
    const [ruleId, expected] = [rules.decide(facts)?.ruleId, decideByHand(facts, count)]
    if (ruleId === expected) return ruleId !== undefined
    throw new Error(`${ruleId} instead of ${expected} for ${JSON.stringify(facts)}`)
  })
  return matched.length
}

/** The nanoseconds of a decision and of a compilation, in each round. */
function measure(rules: CompiledRules<string>, count: number, rounds: number) {
  const stored = rulesOf(count)
  const measured = { decided: [] as number[], byHand: [] as number[], compiled: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    measured.decided.push(time(DECISIONS, (facts) => rules.decide(facts) !== undefined))
    measured.byHand.push(time(DECISIONS, (facts) => decideByHand(facts, count) !== undefined))
    measured.compiled.push(time(COMPILATIONS, () => compileRules(stored).usesSplit))
  }
  return measured
}

/** The results are used, so that the compiler cannot leave out what makes them. */
function time(times: number, call: (facts: Facts) => boolean): number {
  let count = 0
  const from = process.hrtime.bigint()
  for (let n = 0; n < times; n++) if (call(SCANS[n % SCANS.length] as Facts)) count++
  const nanoseconds = Number(process.hrtime.bigint() - from)
  if (count > times) throw new Error('more results than calls')
  return nanoseconds / times
}
