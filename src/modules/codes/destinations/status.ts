import type { DestinationRef, Status } from './contract.ts'
import {
  destinationKey,
  type SentDestination,
  type TargetDestinationColumns,
  toDestinationColumns,
  toDestinationRef,
} from './service.ts'

interface CurrentState {
  status: Status
  destination: DestinationRef | null
}

/** The fields of a request; undefined leaves the current value. */
interface SentState extends SentDestination {
  status?: Status | undefined
}

type StateColumns = TargetDestinationColumns & { status: Status }

const NOWHERE: TargetDestinationColumns = { ...toDestinationColumns(null), destination_article_id: null }
const UNCONFIGURED: StateColumns = { ...NOWHERE, status: 'unconfigured' }

/** The status and destination columns after a request; `current` is left out for a new row. */
export const settleState = (sent: SentState, current: StateColumns = UNCONFIGURED): StateColumns => ({
  ...settleDestination(sent, current),
  status: settleStatus({ status: current.status, destination: toDestinationRef(current) }, sent),
})

/**
 * The destination columns after a request that has the destination of its article, if it names one. Another destination
 * clears the article.
 */
export function settleDestination(
  { destination, destination_article_id: articleId }: SentDestination,
  current: TargetDestinationColumns = NOWHERE,
): TargetDestinationColumns {
  const before = toDestinationRef(current)
  const after = destination === undefined ? before : destination
  const isSame = before !== null && after !== null && destinationKey(before) === destinationKey(after)
  const kept = isSame ? current.destination_article_id : null
  return { ...toDestinationColumns(after), destination_article_id: articleId === undefined ? kept : articleId }
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
