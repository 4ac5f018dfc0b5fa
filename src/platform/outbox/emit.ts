import type { z } from 'zod'
import { type Timestamp, toMs } from '../clock/index.ts'
import { announce, batchesOf, insertRows, type Row, type Tx } from '../db/index.ts'
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
  // Sorted, so that events of one moment are delivered in the order in which they are given here.
  const ids = events.map(() => newIdAt(toMs(now))).sort()
  const rows = events.map(({ orgId, type, payload, before }, n) => {
    const declared = catalogue[type]
    if (declared === undefined) throw new Error(`${type} is not in the catalogue`)
    const parsed = declared.payload.parse(payload)
    noteEvent(tx, type, parsed, before, declared.unaudited)
    // Other payloads cannot be too long, and measuring every scan would cost more than writing it.
    const limited = 'changes' in parsed || declared.omits ? limitPayload(parsed, declared.omits) : parsed
    const row: Row<'events'> = {
      id: ids[n] as string,
      org_id: orgId,
      type,
      payload: limited,
      created_at: now,
      batch_id: null,
      batch_size: 1,
    }
    return row
  })
  if (rows.length === 0) return
  if (rows.length > 1) formBatches(rows)
  await insertRows(tx, 'events', rows)
  await announce(tx, EVENTS_TOPIC, [...new Set(events.map(({ orgId }) => orgId))])
}

/** Events of one organisation and type form batches. Their deliveries may be created later, one batch at a time. */
function formBatches(rows: readonly Row<'events'>[]): void {
  for (const same of Map.groupBy(rows, ({ org_id, type }) => `${org_id} ${type}`).values()) {
    for (const batch of batchesOf(same, BATCH_MAX)) {
      if (batch.length === 1) continue
      for (const row of batch) Object.assign(row, { batch_id: batch[0]?.id, batch_size: batch.length })
    }
  }
}
