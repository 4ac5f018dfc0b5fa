import type { TargetRule } from '../modules/codes/scan-targets/index.ts'

/** What becomes of a scan. */
export type Decision =
  | { lead: NonNullable<TargetRule['destination']>; params: TargetRule['params'][] }
  | { notice: 'paused' | 'not_set_up' | 'gone' }

/**
 * The code's own word counts; one that is not set up takes its group's. Params are in the order in which the
 * later override the earlier. `rule` is null when the thing was deleted, `group` when there is none, or no more.
 */
export function decide(rule: TargetRule | null, group: TargetRule | null): Decision {
  if (rule === null) return { notice: 'gone' }
  const { status, destination } = rule.status === 'unconfigured' && group !== null ? group : rule
  if (status === 'inactive' || status === 'archived') return { notice: 'paused' }
  if (status === 'unconfigured' || destination === null) return { notice: 'not_set_up' }
  return { lead: destination, params: group === null ? [rule.params] : [group.params, rule.params] }
}
