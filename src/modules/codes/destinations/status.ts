import type { DestinationRef, Status } from './contract.ts'

interface Standing {
  status: Status
  lead: DestinationRef | null
}

/** What is left out stays as it is. */
interface Wish {
  status?: Status | undefined
  lead?: DestinationRef | null | undefined
}

/**
 * Something that gets a destination is switched on with it, and something that loses its destination is not set
 * up any more; unless whoever asks says otherwise.
 */
export function settleStatus(before: Standing, { status, lead }: Wish): Status {
  if (status !== undefined) return status
  if (lead === undefined) return before.status
  if (lead === null) return before.lead === null ? before.status : 'unconfigured'
  return before.status === 'unconfigured' ? 'active' : before.status
}
