import type { DestinationRef, Status } from './contract.ts'
import { type DestinationColumns, toDestinationColumns, toDestinationRef } from './service.ts'

interface CurrentState {
  status: Status
  destination: DestinationRef | null
}

/** The two fields of a request; undefined leaves the current value. */
interface SentState {
  status?: Status | undefined
  destination?: DestinationRef | null | undefined
}

type StateColumns = DestinationColumns & { status: Status }

const UNCONFIGURED: StateColumns = { ...toDestinationColumns(null), status: 'unconfigured' }

/** The status and destination columns after a request; `current` is left out for a new row. */
export const settleState = ({ status, destination }: SentState, current: StateColumns = UNCONFIGURED): StateColumns => {
  const before = toDestinationRef(current)
  return {
    ...toDestinationColumns(destination === undefined ? before : destination),
    status: settleStatus({ status: current.status, destination: before }, { status, destination }),
  }
}

/**
 * An explicit status wins. Otherwise a destination turns `unconfigured` into `active`, and removing the destination
 * turns any status into `unconfigured`.
 */
export function settleStatus(current: CurrentState, { status, destination }: SentState): Status {
  if (status !== undefined) return status
  if (destination === undefined) return current.status
  if (destination === null) return current.destination === null ? current.status : 'unconfigured'
  return current.status === 'unconfigured' ? 'active' : current.status
}
