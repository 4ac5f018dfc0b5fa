import type { z } from 'zod'
import { type Timestamp, toMs } from '../clock/index.ts'
import { announce, insertRows, type Tx } from '../db/index.ts'
import { newIdAt, type OrgId } from '../ids/index.ts'
import type { EventCatalogue } from './catalogue.ts'
import { limitPayload } from './limit-payload.ts'

/** Events are written by the transaction that causes them, so none is lost and none is emitted after a rollback. */
interface EventsTable {
  id: string
  org_id: string
  type: string
  payload: unknown
  created_at: string
}

declare module '../db/types.ts' {
  interface Tables {
    events: EventsTable
  }
}

/** Announced when events were written, so that workers look for deliveries. The key is the organisation. */
export const EVENTS_TOPIC = 'events'

type PayloadOf<C extends EventCatalogue, Type extends keyof C> = z.input<C[Type]['payload']>

/** Writes an event. The payload is parsed with the declared schema, so that undeclared fields never leave. */
export const emit = <C extends EventCatalogue, Type extends keyof C & string>(
  tx: Tx,
  orgId: OrgId,
  catalogue: C,
  type: Type,
  payload: PayloadOf<C, Type>,
  now: Timestamp,
): Promise<void> => emitAll(tx, catalogue, [{ orgId, type, payload }], now)

/** Writes many events, which may belong to several organisations. */
export async function emitAll<C extends EventCatalogue, Type extends keyof C & string>(
  tx: Tx,
  catalogue: C,
  events: readonly { orgId: OrgId; type: Type; payload: PayloadOf<C, Type> }[],
  now: Timestamp,
): Promise<void> {
  // Sorted, so that events of one moment are delivered in the order in which they are given here.
  const ids = events.map(() => newIdAt(toMs(now))).sort()
  const rows = events.map(({ orgId, type, payload }, n) => {
    const declared = catalogue[type]
    if (declared === undefined) throw new Error(`${type} is not in the catalogue`)
    const parsed = declared.payload.parse(payload)
    // Other payloads cannot be too long, and measuring every scan would cost more than writing it.
    const limited = 'changes' in parsed || declared.omits ? limitPayload(parsed, declared.omits) : parsed
    return { id: ids[n] as string, org_id: orgId, type, payload: limited, created_at: now }
  })
  if (rows.length === 0) return
  await insertRows(tx, 'events', ['id', 'org_id', 'type', 'payload', 'created_at'], rows)
  await announce(tx, EVENTS_TOPIC, [...new Set(events.map(({ orgId }) => orgId))])
}
