import { compileRules, type StoredRules } from './compile.ts'
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

/**
 * Tries the examples, and returns the first one that comes out in another way than it expects. Only that one is explained: to
 * explain takes a thousand times as long as to decide.
 */
export function findFailedExample(
  stored: StoredRules<unknown>,
  examples: readonly RuleExample[],
  known: KnownFacts,
  reasons: UnknownReasons = {},
): FailedExample | undefined {
  const rules = compileRules(stored)
  const decide = ({ facts }: RuleExample) => rules.decide(factsOf(facts, known))?.ruleId ?? null
  const index = examples.findIndex((example) => decide(example) !== example.expect)
  const example = examples[index]
  if (example === undefined) return undefined
  return { index, example, got: decide(example), explanation: explain(stored, factsOf(example.facts, known), reasons) }
}
