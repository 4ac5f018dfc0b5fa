import type { StoredRules } from './compile.ts'
import type { RuleExample } from './contract.ts'
import { type Explanation, explain } from './explain.ts'
import type { UnknownReasons } from './explain-condition.ts'
import { factsOf, type KnownFacts } from './imagined-scan.ts'

interface FailedExample {
  /** The position in the list. */
  index: number
  example: RuleExample
  /** The id of the rule that matched instead. Null if none did. */
  got: string | null
  explanation: Explanation<unknown>
}

/** Tries every example, and returns those that come out in another way than they expect. */
export const failedExamples = (
  stored: StoredRules<unknown>,
  examples: readonly RuleExample[],
  known: KnownFacts,
  reasons: UnknownReasons = {},
): FailedExample[] =>
  examples.flatMap((example, index) => {
    const explanation = explain(stored, factsOf(example.facts, known), reasons)
    const got = explanation.decision?.ruleId ?? null
    return got === example.expect ? [] : [{ index, example, got, explanation }]
  })
