import type { ZonedClock } from '../../../platform/clock/zoned-time.ts'
import type { Condition } from './conditions/contract.ts'
import { asks, compileTest, type KindName, keyOf, type OwnTest, ownTestsOf, see } from './conditions/index.ts'
import {
  allOf,
  anyOf,
  nameResult,
  not,
  type ResultName,
  type Ternary,
  type Test,
  UNKNOWN,
} from './conditions/ternary.ts'
import type { Facts } from './facts.ts'
import { testSentence } from './sentences.ts'

/** Why a fact is unknown, to complete a sentence: `{ country: 'this installation has no source for countries' }`. */
export type UnknownReasons = Partial<Record<KindName, string>>

export interface Circumstances {
  facts: Facts
  clock: ZonedClock
  reasons: UnknownReasons
}

export interface ExplainedTest {
  /** Where it is in the rule, such as `when.all[0].weekday`. */
  condition: string
  kind: KindName
  result: ResultName
  /** Null if it is unknown, or if there is none. */
  saw: string | null
  sentence: string
}

export interface ExplainedCondition {
  result: Ternary
  /** All tests, with those of the conditions inside. */
  tests: ExplainedTest[]
  /** The facts that made the result what it is, as beginnings of sentences. */
  clauses: string[]
}

export function explainCondition(condition: Condition, path: string, circumstances: Circumstances): ExplainedCondition {
  const { all = [], any, not: negated } = condition
  const each = (inner: readonly Condition[], key: string) =>
    inner.map((one, at) => explainCondition(one, `${path}.${key}[${at}]`, circumstances))
  return combine(allOf, [
    ...ownTestsOf(condition).map((test) => explainTest(test, path, circumstances)),
    ...each(all, 'all'),
    ...(any === undefined ? [] : [combine(anyOf, each(any, 'any'))]),
    ...(negated === undefined ? [] : [negate(explainCondition(negated, `${path}.not`, circumstances))]),
  ])
}

type Combine = (tests: readonly Test<undefined>[]) => Test<undefined>

function combine(how: Combine, parts: readonly ExplainedCondition[]): ExplainedCondition {
  const result = how(parts.map((part) => () => part.result))(undefined)
  const deciding = parts.filter((part) => part.result === result)
  return {
    result,
    tests: parts.flatMap(({ tests }) => tests),
    clauses: [...new Set(deciding.flatMap(({ clauses }) => clauses))],
  }
}

const negate = (inner: ExplainedCondition): ExplainedCondition => ({
  ...inner,
  result: not(() => inner.result)(undefined),
})

function explainTest(test: OwnTest, path: string, { facts, clock, reasons }: Circumstances): ExplainedCondition {
  const result = compileTest(test, clock)(facts)
  const { saw, clause: fact } = see(test, facts, clock)
  const reason = result === UNKNOWN ? reasons[test.kind] : undefined
  const clause = reason === undefined ? fact : `${fact}, because ${reason}`
  const name = nameResult(result)
  const explained = {
    condition: `${path}.${keyOf(test)}`,
    kind: test.kind,
    result: name,
    saw,
    sentence: testSentence(name, clause, asks(test)),
  }
  return { result, tests: [explained], clauses: [clause] }
}
