import { zonedClock } from '../../../../platform/clock/zoned-time.ts'
import type { StoredRule, StoredRules } from '../compile.ts'
import { type KindName, testsWithin } from '../conditions/index.ts'
import { whyNever, whyNeverAlternatives } from './never.ts'
import { includes, isAlwaysTrue, partsOf } from './parts.ts'

export interface RuleWarning {
  code: 'unreachable' | 'never_matches' | 'over' | 'weights'
  rule_id: string
  message: string
}

type Rule = StoredRule<unknown>
type Rules = Pick<StoredRules<unknown>, 'timeZone' | 'rules'>

/** Finds active rules that probably do something else than their author expects. */
export function lintRules({ timeZone, rules }: Rules, nowMs: number): RuleWarning[] {
  const clock = zonedClock(timeZone)
  const active = rules.filter((rule) => rule.active)
  return active.flatMap((rule, at): RuleWarning[] => {
    const warn = (code: RuleWarning['code'], message: string) => ({ code, rule_id: rule.id, message })
    const never = whyNever(rule.when, clock, nowMs)
    const windows =
      never === undefined
        ? whyNeverAlternatives(rule.when, clock, nowMs).map(({ code, because }) =>
            warn(code, `A part of *${rule.name}* never holds, because ${because}.`),
          )
        : [warn(never.code, `*${rule.name}* never matches, because ${never.because}.`)]
    const unreachable = whyUnreachable(rule, active.slice(0, at))
    const weights = describeWeights(rule)
    return [
      ...windows,
      ...(unreachable === undefined ? [] : [warn('unreachable', unreachable)]),
      ...(weights === undefined ? [] : [warn('weights', weights)]),
    ]
  })
}

function whyUnreachable({ name, when }: Rule, earlier: readonly Rule[]): string | undefined {
  const parts = partsOf(when)
  const other = earlier.find((one) => includes(parts, one.when))
  if (other === undefined) return undefined
  const reason = isAlwaysTrue(other.when) ? 'always matches' : 'matches whenever it would match'
  return `*${name}* is never reached, because *${other.name}* is before it and ${reason}.`
}

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const lists = new Intl.ListFormat('en-GB')

function describeWeights({ name, then }: Rule): string | undefined {
  if (!('split' in then)) return undefined
  const total = then.split.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 100) return undefined
  const actual = then.split.map(({ key, weight }) => `${percent.format(weight / total)} for ${key}`)
  return `The weights of *${name}* add up to ${total}, not to 100. The shares are ${lists.format(actual)}.`
}

/** The ids of the active rules that test each kind of fact. The caller can then warn about facts that are never known. */
export function rulesByKind(rules: readonly Rule[]): ReadonlyMap<KindName, readonly string[]> {
  const found = new Map<KindName, string[]>()
  for (const { id, active, when } of rules) {
    if (!active) continue
    for (const kind of new Set(testsWithin(when).map((test) => test.kind))) {
      found.set(kind, [...(found.get(kind) ?? []), id])
    }
  }
  return found
}
