import type { TargetRule } from '../scan-targets/index.ts'

export type ScanDestination = NonNullable<TargetRule['destination']>

/** Where a scan redirects to, or which page it shows instead. */
export type ScanDecision =
  | { destination: ScanDestination; params: TargetRule['params'][] }
  | { notice: 'paused' | 'not_set_up' | 'gone' }

/**
 * Decides by the code's own rule, or by its group's when the code is not set up. Of the params, later lists override
 * earlier ones. `rule` is null for a deleted target; `group` is null when there is no group or it was deleted.
 */
export function decide(rule: TargetRule | null, group: TargetRule | null): ScanDecision {
  if (rule === null) return { notice: 'gone' }
  const { status, destination } = rule.status === 'unconfigured' && group !== null ? group : rule
  if (status === 'inactive' || status === 'archived') return { notice: 'paused' }
  if (status === 'unconfigured' || destination === null) return { notice: 'not_set_up' }
  return { destination, params: group === null ? [rule.params] : [group.params, rule.params] }
}
