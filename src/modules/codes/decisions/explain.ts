import { zonedClock } from '../../../platform/clock/zoned-time.ts'
import { compileRules, type Decision, type StoredRules } from './compile.ts'
import { nameResult, type ResultName } from './conditions/ternary.ts'
import { type ExplainedTest, explainCondition, type UnknownReasons } from './explain-condition.ts'
import type { Facts } from './facts.ts'
import {
  defaultSentence,
  notTriedSentence,
  offSentence,
  ruleSentence,
  type TriedRule,
  variantSentence,
} from './sentences.ts'

export interface Explanation<Destination> {
  /** What `decide` returns. */
  decision: Decision<Destination> | undefined
  reason: 'rule' | 'split' | 'default'
  /** All rules, in order. */
  steps: ExplainedRule[]
  sentence: string
}

interface ExplainedRule {
  rule_id: string
  rule_name: string
  active: boolean
  result: ResultName | 'not_tried' | 'off'
  /** What a rule that was tried tests. */
  conditions: ExplainedTest[]
  sentence: string
}

/** Says what `decide` decides, and why. */
export function explain<Destination>(
  stored: StoredRules<Destination>,
  facts: Facts,
  reasons: UnknownReasons = {},
): Explanation<Destination> {
  const clock = zonedClock(stored.timeZone)
  const decision = compileRules(stored).decide(facts)
  const last = stored.rules.findIndex(({ id }) => id === decision?.ruleId)
  const matched = stored.rules[last]
  const tried: TriedRule[] = []
  const steps = stored.rules.map((rule, at): ExplainedRule => {
    const { id, name, active } = rule
    const about = { rule_id: id, rule_name: name, active }
    if (!active) return { ...about, result: 'off', conditions: [], sentence: offSentence(name) }
    if (matched !== undefined && at > last) {
      return { ...about, result: 'not_tried', conditions: [], sentence: notTriedSentence(name, matched.name) }
    }
    const explained = explainCondition(rule.when, 'when', { facts, clock, reasons })
    const result = nameResult(explained.result)
    tried.push({ name, result, clauses: explained.clauses })
    return { ...about, result, conditions: explained.tests, sentence: ruleSentence(name, result, explained.clauses) }
  })
  if (decision === undefined || matched === undefined) {
    return { decision, reason: 'default', steps, sentence: defaultSentence(tried) }
  }
  const { sentence = '' } = steps[last] ?? {}
  if (!('split' in matched.then)) return { decision, reason: 'rule', steps, sentence }
  const more = variantSentence(decision.variant, matched.then.split, facts.visitor !== undefined)
  return { decision, reason: 'split', steps, sentence: `${sentence} ${more}` }
}
