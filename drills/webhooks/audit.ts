import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../src/platform/db/types.ts'
import type { Endpoint } from './events.ts'
import type { Inbox } from './inbox.ts'

const PAGE = 10_000

export interface Audit {
  /** Deliveries in the database. */
  deliveries: number
  /** Deliveries of an event to an endpoint that has another delivery of that event. */
  createdTwice: number
  /** Deliveries that the receiver accepted. */
  arrived: number
  /** Deliveries that it never accepted. */
  lost: number
  /** Deliveries that it accepted more than once. */
  twice: number
  /** Bodies that differ between attempts or from the payload of the event. */
  changed: number
  badSignatures: number
  /** Arrivals that are not in the database, such as those of a transaction that was rolled back. */
  invented: number
  /** Deliveries that the receiver accepted but that are not `delivered`. */
  unsettled: number
}

/** Compares what arrived at the receiver with the database. */
export async function auditDeliveries(
  database: Database,
  endpoints: readonly Endpoint[],
  inbox: Inbox,
): Promise<Audit> {
  const audit: Audit = {
    ...{ deliveries: 0, createdTwice: 0, arrived: 0, lost: 0, twice: 0, invented: 0, unsettled: 0 },
    changed: inbox.changedBodies,
    badSignatures: inbox.badSignatures,
  }
  let known = 0
  for (const endpoint of endpoints) {
    const events = new Set<string | null>()
    for await (const { id, event_id, status, payload } of deliveriesTo(database, endpoint)) {
      audit.deliveries++
      if (events.has(event_id)) audit.createdTwice++
      events.add(event_id)
      const arrival = inbox.arrivals.get(id)
      if (arrival !== undefined) {
        known++
        if (!isDeepStrictEqual(JSON.parse(arrival.body), payload)) audit.changed++
      }
      const accepted = arrival?.accepted ?? 0
      if (accepted === 0) audit.lost++
      else audit.arrived++
      if (accepted > 1) audit.twice++
      if (accepted > 0 && status !== 'delivered') audit.unsettled++
    }
  }
  return { ...audit, invented: inbox.arrivals.size - known }
}

async function* deliveriesTo({ readLong }: Database, { tenant, id: endpointId }: Endpoint) {
  for (let after: string | undefined; ; ) {
    const rows = await readLong
      .selectFrom('webhook_deliveries as d')
      .innerJoin('events as e', (join) => join.onRef('e.id', '=', 'd.event_id').onRef('e.org_id', '=', 'd.org_id'))
      .select(['d.id', 'd.event_id', 'd.status', 'e.payload'])
      .where('d.org_id', '=', tenant.orgId)
      .where('d.endpoint_id', '=', endpointId)
      .$if(after !== undefined, (query) => query.where('d.id', '>', after ?? ''))
      .orderBy('d.id')
      .limit(PAGE)
      .execute()
    yield* rows
    after = rows.at(-1)?.id
    if (after === undefined) return
  }
}
