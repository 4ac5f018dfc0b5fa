import type { z } from 'zod'
import type { Timestamp } from './clock.ts'
import type { Tx } from './db/index.ts'
import { newId, type OrgId } from './ids.ts'

/** What happened, written by the transaction that made it happen: none is lost, none is invented. */
interface EventsTable {
  id: string
  org_id: string
  type: string
  payload: unknown
  created_at: string
}

declare module './db/types.ts' {
  interface Tables {
    events: EventsTable
  }
}

/** The events of a family: each type with the schema of its payload. */
export type EventCatalogue = Record<string, { description: string; payload: z.ZodObject }>

/** Writes an event of the family's catalogue. The payload is parsed, so that what goes out is what was declared. */
export async function emit<C extends EventCatalogue, Type extends keyof C & string>(
  tx: Tx,
  orgId: OrgId,
  catalogue: C,
  type: Type,
  payload: z.input<C[Type]['payload']>,
  now: Timestamp,
): Promise<void> {
  const declared = catalogue[type]
  if (declared === undefined) throw new Error(`${type} is not in the catalogue`)
  await tx
    .insertInto('events')
    .values({ id: newId(), org_id: orgId, type, payload: declared.payload.parse(payload), created_at: now })
    .execute()
}
