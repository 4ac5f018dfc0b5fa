import { SECOND_MS, type Timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import { firstIdAt, type OrgId } from '../../../platform/ids/index.ts'
import { toDestinationRef } from '../destinations/index.ts'
import { type DestinationChangeCreate, kindsOf, type OwnerKind } from './contract.ts'
import { isSameDestination } from './lead.ts'
import { OWNERS, type Owner } from './owners.ts'
import { type Criteria, countOwners, selectOwners, selectWindowEnd, type Window } from './queries.ts'

/**
 * Owners are gone through in the order of their ids, so many at a time: even if none of them matches, a statement takes a few
 * milliseconds.
 */
const WINDOW_ROWS = 5000

/** Sorts before the ids of all owners. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** Ids begin with the time of their creation, by the clock of an instance that can be ahead of ours. */
const AHEAD_MS = 10 * SECOND_MS

/** Which owners are to lead where, as a job stores it. */
export interface Wanted extends Pick<DestinationChangeCreate, 'from' | 'to'> {
  filter: NonNullable<DestinationChangeCreate['filter']>
  /** What is created later is not meant. */
  askedAt: Timestamp
}

export type FoundOwner = Awaited<ReturnType<typeof selectOwners>>[number]

const toCriteria = ({ from, to, filter, askedAt }: Wanted): Criteria => ({
  from: from ?? undefined,
  to,
  groupId: filter.group_id,
  type: filter.type,
  status: filter.status,
  urlStart: filter.url_starts_with,
  before: endOf(askedAt),
})

/** No id of an owner that existed by then is later. */
const endOf = (askedAt: Timestamp): string => firstIdAt(toMs(askedAt) + AHEAD_MS)

/** The same for an owner that was found a moment ago, and is locked now. */
export function isWanted({ from, to, filter }: Wanted, owner: Owner): boolean {
  const { group_id, type, status, url_starts_with: start } = filter
  const current = toDestinationRef(owner)
  return (
    !isSameDestination(current, to) &&
    (from == null || isSameDestination(current, from)) &&
    (group_id === undefined || owner.group_id === group_id) &&
    (type === undefined || owner.type === type) &&
    (status === undefined || owner.status === status) &&
    (start === undefined || current?.url?.startsWith(start) === true)
  )
}

/** Ids that were asked for are few enough for one window. */
async function nextWindow(
  db: Db,
  orgId: OrgId,
  kind: OwnerKind,
  { filter: { ids }, askedAt }: Wanted,
  after: string,
): Promise<Window> {
  if (ids !== undefined) return { after, last: null, ids }
  const last = await selectWindowEnd(db, orgId, OWNERS[kind].table, { after, before: endOf(askedAt) }, WINDOW_ROWS)
  return { after, last: last ?? null, ids }
}

/** The next owners of a kind, and after which one to go on; null if there are no more. */
export async function findNextOwners(
  db: Db,
  orgId: OrgId,
  kind: OwnerKind,
  wanted: Wanted,
  after: string,
  limit: number,
): Promise<{ owners: FoundOwner[]; last: string | null }> {
  const window = await nextWindow(db, orgId, kind, wanted, after)
  const owners = await selectOwners(db, orgId, OWNERS[kind].table, toCriteria(wanted), window, limit)
  return { owners, last: owners.length < limit ? window.last : (owners.at(-1)?.id ?? null) }
}

/** Counts all owners that are wanted, and returns the first of them. */
export async function survey(db: Db, orgId: OrgId, wanted: Wanted, shownMax: number) {
  const shown: (FoundOwner & { kind: OwnerKind })[] = []
  let count = 0
  for (const kind of kindsOf(wanted.filter)) {
    const { table } = OWNERS[kind]
    for (let after: string | null = BEFORE_ALL; after !== null; ) {
      const window: Window = await nextWindow(db, orgId, kind, wanted, after)
      const criteria = toCriteria(wanted)
      const found = await countOwners(db, orgId, table, criteria, window)
      if (found > 0 && shown.length < shownMax) {
        const owners = await selectOwners(db, orgId, table, criteria, window, shownMax - shown.length)
        shown.push(...owners.map((owner) => ({ ...owner, kind })))
      }
      count += found
      after = window.last
    }
  }
  return { count, shown }
}
