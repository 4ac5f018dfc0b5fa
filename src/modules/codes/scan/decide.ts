import type { TargetSetup } from '../scan-targets/index.ts'

export type ScanDestination = NonNullable<TargetSetup['destination']>

/** Where a scan redirects to, or which page it shows instead. */
export type ScanDecision =
  | { destination: ScanDestination; params: TargetSetup['params'][] }
  | { notice: 'paused' | 'not_set_up' | 'gone' }

/**
 * Decides by the code's own setup, or by its group's when the code is not set up. Of the params, later lists override
 * earlier ones. `setup` is null for a deleted target; `group` is null when there is no group or it was deleted.
 */
export function decide(setup: TargetSetup | null, group: TargetSetup | null): ScanDecision {
  if (setup === null) return { notice: 'gone' }
  const { status, destination } = setup.status === 'unconfigured' && group !== null ? group : setup
  if (status === 'inactive' || status === 'archived') return { notice: 'paused' }
  if (status === 'unconfigured' || destination === null) return { notice: 'not_set_up' }
  return { destination, params: group === null ? [setup.params] : [group.params, setup.params] }
}
