import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Timestamp } from './clock.ts'
import { field } from './contract/field.ts'
import { insertRows, type Tx } from './db/index.ts'
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
  const rows = happened.map(({ orgId, type, payload }) => {
    const declared = catalogue[type]
    if (declared === undefined) throw new Error(`${type} is not in the catalogue`)
    return { id: newId(), org_id: orgId, type, payload: declared.payload.parse(payload), created_at: now }
  })
  await insertRows(tx, 'events', rows)
}

const Changes = z
  .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
  .meta({ description: 'Each field that changed.', examples: [{ name: { from: 'Door sign', to: 'Gate sign' } }] })

const Deleted = (object: string) =>
  z.object({ object: z.literal(object), id: field.id, deleted: z.literal(true), deleted_at: field.timestamp })

type ResourceEvents<Noun extends string, Resource extends z.ZodObject> = {
  [Type in `${Noun}.created`]: { description: string; payload: Resource }
} & {
  [Type in `${Noun}.updated`]: {
    description: string
    payload: z.ZodObject<Resource['shape'] & { changes: typeof Changes }>
  }
} & { [Type in `${Noun}.deleted`]: { description: string; payload: ReturnType<typeof Deleted> } }

/** What happens to the resources of every family: they are created, updated and deleted. */
export function resourceEvents<Noun extends string, Resource extends z.ZodObject>(
  noun: Noun,
  resource: Resource,
): ResourceEvents<Noun, Resource> {
  const words = noun.replaceAll('_', ' ').replace('qr', 'QR')
  const subject = /^[aeiou]/.test(words) ? `An ${words}` : `A ${words}`
  const id = resource.meta()?.id ?? noun
  return {
    [`${noun}.created`]: { description: `${subject} was created.`, payload: resource },
    [`${noun}.updated`]: {
      description: `${subject} was changed. \`changes\` has each field that did, with what it was and is.`,
      payload: resource.extend({ changes: Changes }).meta({ id: `${id}Updated` }),
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
