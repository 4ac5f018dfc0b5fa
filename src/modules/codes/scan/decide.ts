import { type CompiledRules, compileRules, type Facts } from '../decisions/index.ts'
import type { SetupDestination, SetupRules, TargetSetup } from '../scan-targets/index.ts'
import type { OfferedLink } from './gs1/offered-links.ts'
import { setupAt } from './setup-at.ts'

export type ScanDestination = SetupDestination

/** What a scan depends on. `setup` is null for a deleted target; the others are null if there are none, or no more. */
export interface Situation {
  setup: TargetSetup | null
  group: TargetSetup | null
  /** The object that a code is stuck on. */
  object: TargetSetup | null
}

/** Which rule decided. */
interface MatchedRule {
  id: string
  variant: string | null
  rulesVersion: number
}

/** Where a scan redirects to, or which page it shows instead. */
export type ScanDecision = (
  | { destination: ScanDestination; params: TargetSetup['params'][] }
  | { notice: 'paused' | 'not_set_up' | 'gone' }
) & {
  /** Undefined if no rule matched. */
  matched?: MatchedRule | undefined
  /** The link of a product that was chosen. */
  link?: OfferedLink | undefined
}

type SetUp = Situation & { setup: TargetSetup }

/** What counts at this moment, of what is scheduled. */
export const situationAt = ({ setup, group, object }: Situation, nowMs: number): Situation => ({
  setup: setup && setupAt(setup, nowMs),
  group: group && setupAt(group, nowMs),
  object: object && setupAt(object, nowMs),
})

/**
 * Decides by the target's own setup, and by that of its object or group where it has nothing of its own. Rules come first; the
 * destination is their default. The facts are asked for only if there are rules.
 */
export function decide(situation: Situation, facts: () => Facts): ScanDecision {
  if (situation.setup === null) return { notice: 'gone' }
  const present = situation as SetUp
  if (isPaused(present.setup)) return { notice: 'paused' }
  return matchRules(present, facts) ?? decideWithoutRules(present)
}

/** The rules that apply: the target's own, those of its object if it has nothing of its own, or those of its group. */
export function rulesOf({ setup, group, object }: Situation): SetupRules | undefined {
  if (setup === null || isPaused(setup)) return undefined
  if (setup.rules !== undefined) return setup.rules
  if (usesObject({ setup, group, object }) && object?.rules !== undefined)
    return isPaused(object) ? undefined : object.rules
  return group === null || isPaused(group) ? undefined : group.rules
}

export const isPaused = ({ status }: TargetSetup): boolean => status === 'inactive' || status === 'archived'

/** Undefined if no rule matches. */
export function matchRules(situation: SetUp, facts: () => Facts): ScanDecision | undefined {
  const rules = rulesOf(situation)
  const decided = rules && compiledOf(rules).decide(facts())
  if (rules === undefined || decided === undefined) return undefined
  const { ruleId, variant, destination } = decided
  const matched = { id: ruleId, variant, rulesVersion: rules.version }
  if (destination === null) return { notice: 'not_set_up', matched }
  return { destination, params: paramsOf(situation), matched }
}

/** What happens if no rule matches. */
export function decideWithoutRules(situation: SetUp): ScanDecision {
  const from = sourceOf(situation)
  if (isPaused(from)) return { notice: 'paused' }
  if (from.status === 'unconfigured' || from.destination === null) return { notice: 'not_set_up' }
  return { destination: from.destination, params: paramsOf(situation) }
}

/** Whose status and destination count. */
function sourceOf(situation: SetUp): TargetSetup {
  const { setup, group, object } = situation
  if (usesObject(situation) && object !== null && (object.destination !== null || isPaused(object))) return object
  return setup.status === 'unconfigured' && group !== null ? group : setup
}

/** Whether a code that has nothing of its own leads where its object leads. */
const usesObject = ({ setup, object }: SetUp): boolean =>
  object !== null &&
  setup.destination === null &&
  setup.rules === undefined &&
  (object.destination !== null || object.rules !== undefined)

/** Later lists override earlier ones. */
function paramsOf(situation: SetUp): TargetSetup['params'][] {
  const { setup, group, object } = situation
  const own = group === null ? [setup.params] : [group.params, setup.params]
  return usesObject(situation) && object !== null ? [object.params, ...own] : own
}

const compiled = new WeakMap<SetupRules, CompiledRules<ScanDestination | null>>()

/** Compiled once for as long as the setup is cached. */
export function compiledOf(rules: SetupRules): CompiledRules<ScanDestination | null> {
  let found = compiled.get(rules)
  if (found === undefined) {
    found = compileRules(rules)
    compiled.set(rules, found)
  }
  return found
}
