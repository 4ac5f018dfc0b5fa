import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Timestamp, toMs } from '../clock/index.ts'
import { field } from '../contract/field.ts'
import { announce, insertRows, type Tx } from '../db/index.ts'
import { newIdAt, type OrgId } from '../ids/index.ts'
import { fitPayload } from './limit-payload.ts'

/** What happened, written by the transaction that made it happen: none is lost, none is invented. */
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

/** The events of a family: each type with the schema of its payload. */
export type EventCatalogue = Record<string, EventType>

interface EventType {
  description: string
  payload: z.ZodObject
  /** Fields that are null where the event would be too long with them. */
  omits?: readonly string[]
}

/** Told to whoever sends events to endpoints: there may be something to deliver. The key is the organisation. */
export const EVENTS_TOPIC = 'events'

type PayloadOf<C extends EventCatalogue, Type extends keyof C> = z.input<C[Type]['payload']>

/** Writes an event of the family's catalogue. The payload is parsed, so that what goes out is what was declared. */
export const emit = <C extends EventCatalogue, Type extends keyof C & string>(
  tx: Tx,
  orgId: OrgId,
  catalogue: C,
  type: Type,
  payload: PayloadOf<C, Type>,
  now: Timestamp,
): Promise<void> => emitAll(tx, catalogue, [{ orgId, type, payload }], now)

/** The same for many at once, also of several organisations. */
export async function emitAll<C extends EventCatalogue, Type extends keyof C & string>(
  tx: Tx,
  catalogue: C,
  happened: readonly { orgId: OrgId; type: Type; payload: PayloadOf<C, Type> }[],
  now: Timestamp,
): Promise<void> {
  // Of one moment, and yet in order: whoever receives them should get them as they happened.
  const ids = happened.map(() => newIdAt(toMs(now))).sort()
  const rows = happened.map(({ orgId, type, payload }, n) => {
    const declared = catalogue[type]
    if (declared === undefined) throw new Error(`${type} is not in the catalogue`)
    const parsed = declared.payload.parse(payload)
    // Nothing else can be that long; measuring every scan would cost more than writing it.
    const sent = 'changes' in parsed || declared.omits ? fitPayload(parsed, declared.omits) : parsed
    return { id: ids[n] as string, org_id: orgId, type, payload: sent, created_at: now }
  })
  if (rows.length === 0) return
  await insertRows(tx, 'events', rows)
  await announce(tx, EVENTS_TOPIC, [...new Set(happened.map(({ orgId }) => orgId))])
}

const Changes = z
  .record(
    z.string(),
    z.object({
      from: z.unknown(),
      to: z.unknown(),
      omitted: z
        .literal(true)
        .optional()
        .describe('Where what it was and is would be too long for an event: both are null then.'),
    }),
  )
  .meta({ description: 'Each field that changed.', examples: [{ name: { from: 'Door sign', to: 'Gate sign' } }] })

const Deleted = (object: string) =>
  z.object({ object: z.literal(object), id: field.id, deleted: z.literal(true), deleted_at: field.timestamp })

type ResourceEvents<Noun extends string, Resource extends z.ZodObject> = {
  [Type in `${Noun}.created`]: EventType & { payload: Resource }
} & {
  [Type in `${Noun}.updated`]: EventType & {
    payload: z.ZodObject<Resource['shape'] & { changes: typeof Changes }>
  }
} & { [Type in `${Noun}.deleted`]: EventType & { payload: ReturnType<typeof Deleted> } }

/**
 * What happens to the resources of every family: they are created, updated and deleted. `omits` names the fields that
 * may be too long for an event; the schema has to let them be null.
 */
export function resourceEvents<Noun extends string, Resource extends z.ZodObject>(
  noun: Noun,
  resource: Resource,
  omits?: readonly string[],
): ResourceEvents<Noun, Resource> {
  const words = noun.replaceAll('_', ' ').replace('qr', 'QR')
  const subject = /^[aeiou]/.test(words) ? `An ${words}` : `A ${words}`
  const id = resource.meta()?.id ?? noun
  return {
    [`${noun}.created`]: { description: `${subject} was created.`, payload: resource, ...(omits && { omits }) },
    [`${noun}.updated`]: {
      description: `${subject} was changed. \`changes\` has each field that did, with what it was and is.`,
      payload: resource.extend({ changes: Changes }).meta({ id: `${id}Updated` }),
      ...(omits && { omits }),
    },
    [`${noun}.deleted`]: {
      description: `${subject} was deleted for good.`,
      payload: Deleted(noun).meta({ id: `${id}Deleted` }),
    },
  } as unknown as ResourceEvents<Noun, Resource>
}

/** What differs between a resource as it was and as it is; undefined when nothing does. */
export function changesOf(before: object, after: object): z.infer<typeof Changes> | undefined {
  const fields = Object.entries(after).filter(([name]) => name !== 'updated_at')
  const changed = fields.flatMap(([name, to]) => {
    const from: unknown = (before as Record<string, unknown>)[name]
    return isDeepStrictEqual(from, to) ? [] : [[name, { from, to }] as const]
  })
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}
