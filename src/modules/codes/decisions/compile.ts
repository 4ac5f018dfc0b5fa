import { type ZonedClock, zonedClock } from '../../../platform/clock/zoned-time.ts'
import { chooser, type Variant } from './bucket.ts'
import type { Condition } from './conditions/contract.ts'
import { compileTest, ownTestsOf, testsWithin } from './conditions/index.ts'
import { allOf, anyOf, not, type Test, TRUE } from './conditions/ternary.ts'
import type { Facts } from './facts.ts'

/** A document as it is stored. Destinations are in the form that the caller needs; nothing here looks into them. */
export interface StoredRules<Destination> {
  version: number
  timeZone: string
  rules: readonly StoredRule<Destination>[]
}

export interface StoredRule<Destination> {
  id: string
  name: string
  active: boolean
  when: Condition
  then: { destination: Destination } | { split: readonly Variant<Destination>[] }
}

export interface Decision<Destination> {
  ruleId: string
  /** Null if the rule has one destination. */
  variant: string | null
  destination: Destination
}

export interface CompiledRules<Destination> {
  readonly version: number
  /** What the facts need to have for these rules. Everything else is never asked for. */
  readonly usesScanNumber: Readonly<Record<'code' | 'object', boolean>>
  readonly usesProperties: boolean
  readonly usesSplit: boolean
  /** Returns what the first active rule that matches says. Undefined if none does. */
  decide(facts: Facts): Decision<Destination> | undefined
}

export function compileRules<Destination>(stored: StoredRules<Destination>): CompiledRules<Destination> {
  const clock = zonedClock(stored.timeZone)
  const active = stored.rules.filter((rule) => rule.active)
  const rules = active.map((rule) => ({ matches: compileCondition(rule.when, clock), choose: compileOutcome(rule) }))
  const tests = active.flatMap(({ when }) => testsWithin(when))
  const counts = (of: 'code' | 'object') => tests.some(({ kind, value }) => kind === 'scan_number' && value.of === of)
  return {
    version: stored.version,
    usesScanNumber: { code: counts('code'), object: counts('object') },
    usesProperties: tests.some(({ kind }) => kind === 'property'),
    usesSplit: active.some(({ then }) => 'split' in then),
    decide(facts) {
      for (const { matches, choose } of rules) if (matches(facts) === TRUE) return choose(facts)
      return undefined
    },
  }
}

export function compileCondition(condition: Condition, clock: ZonedClock): Test<Facts> {
  const compile = (inner: Condition) => compileCondition(inner, clock)
  const { all = [], any, not: negated } = condition
  return allOf([
    ...ownTestsOf(condition).map((test) => compileTest(test, clock)),
    ...all.map(compile),
    ...(any === undefined ? [] : [anyOf(any.map(compile))]),
    ...(negated === undefined ? [] : [not(compile(negated))]),
  ])
}

function compileOutcome<Destination>({ id, then }: StoredRule<Destination>): (facts: Facts) => Decision<Destination> {
  const toDecision = (destination: Destination, variant: string | null) => ({ ruleId: id, variant, destination })
  if ('destination' in then) {
    const decision = toDecision(then.destination, null)
    return () => decision
  }
  const choose = chooser(id, then.split)
  return (facts) => {
    const { key, destination } = choose(facts)
    return toDecision(destination, key)
  }
}
