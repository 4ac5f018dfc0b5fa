import type { z } from 'zod'
import { type Timestamp, toMs } from '../clock/index.ts'
import { announce, batchesOf, insertRows, pauseIn, type Row, type Tx } from '../db/index.ts'
import { newIdAt, type OrgId } from '../ids/index.ts'
import type { EventCatalogue } from './catalogue.ts'
import { limitPayload } from './limit-payload.ts'
import { noteEvent } from './note-event.ts'

/** Announced when events were written, so that workers look for deliveries. The key is the organisation. */
export const EVENTS_TOPIC = 'events'

/**
 * Limits how long it takes to create the deliveries of a batch to one endpoint. More than the deliveries that a batch
 * creates in its own transaction (100), so that no full batch does.
 */
const BATCH_MAX = 125

/** How many payloads are checked in one turn of the main thread: about 2 ms. */
const CHECKED_AT_ONCE = 25

type PayloadOf<C extends EventCatalogue, Type extends keyof C> = z.input<C[Type]['payload']>

/**
 * Writes an event. The payload is parsed with the declared schema, so that undeclared fields never leave. `before` is the
 * resource that was deleted, for the audit log.
 */
export const emit = <C extends EventCatalogue, Type extends keyof C & string>(
  tx: Tx,
  orgId: OrgId,
  catalogue: C,
  type: Type,
  payload: PayloadOf<C, Type>,
  now: Timestamp,
  before?: object,
): Promise<void> => emitAll(tx, catalogue, [{ orgId, type, payload, ...(before && { before }) }], now)

/** Writes many events, which may belong to several organisations. */
export async function emitAll<C extends EventCatalogue, Type extends keyof C & string>(
  tx: Tx,
  catalogue: C,
  events: readonly { orgId: OrgId; type: Type; payload: PayloadOf<C, Type>; before?: object }[],
  now: Timestamp,
): Promise<void> {
  if (events.length === 0) return
  // Sorted, so that events of one moment are delivered in the order in which they are given here.
  const ids = events.map(() => newIdAt(toMs(now))).sort()
  const identified = events.map((event, n) => ({ ...event, id: ids[n] as string }))
  const batches = events.length > 1 ? toBatches(identified) : [identified]
  const toRow = ({ id, orgId, type, payload, before }: (typeof identified)[number], batch: typeof identified) => {
    const declared = catalogue[type]
    if (declared === undefined) throw new Error(`${type} is not in the catalogue`)
    const parsed = declared.payload.parse(payload)
    noteEvent(tx, type, parsed, before, declared.unaudited)
    // Other payloads cannot be too long, and measuring every scan would cost more than writing it.
    const limited = 'changes' in parsed || declared.omits ? limitPayload(parsed, declared.omits) : parsed
    const batch_id = batch.length === 1 ? null : (batch[0]?.id ?? null)
    return { id, org_id: orgId, type, payload: limited, created_at: now, batch_id, batch_size: batch.length }
  }
  for (const batch of batches) {
    const rows: Row<'events'>[] = []
    for (const some of batchesOf(batch, CHECKED_AT_ONCE)) {
      rows.push(...some.map((event) => toRow(event, batch)))
      if (events.length > CHECKED_AT_ONCE) await pauseIn(tx)
    }
    // A batch must not be divided: its deliveries may be created as soon as its first event is there.
    await insertRows(tx, 'events', rows)
  }
  await announce(tx, EVENTS_TOPIC, [...new Set(events.map(({ orgId }) => orgId))])
}

/** Events of one organisation and type form batches. Their deliveries may be created later, one batch at a time. */
const toBatches = <Event extends { orgId: OrgId; type: string }>(events: readonly Event[]): Event[][] =>
  [...Map.groupBy(events, ({ orgId, type }) => `${orgId} ${type}`).values()].flatMap((same) =>
    batchesOf(same, BATCH_MAX),
  )
