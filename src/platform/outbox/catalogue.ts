import { z } from 'zod'
import { field } from '../contract/field.ts'
import { Changes } from './changes.ts'

/** The event types of a family by name. */
export type EventCatalogue = Record<string, EventType>

interface EventType {
  description: string
  payload: z.ZodObject
  /** Fields that are set to null when the payload would be too long with them. */
  omits?: readonly string[]
  /** Fields whose values do not belong into the audit log: it is kept when they are erased. */
  unaudited?: readonly string[]
}

const Deleted = (object: string) =>
  z.object({ object: z.literal(object), id: field.id, deleted: z.literal(true), deleted_at: field.timestamp })

type ResourceEvents<Noun extends string, Resource extends z.ZodObject> = {
  [Type in `${Noun}.created`]: EventType & { payload: Resource }
} & {
  [Type in `${Noun}.updated`]: EventType & {
    payload: z.ZodObject<Resource['shape'] & { changes: typeof Changes }>
  }
} & { [Type in `${Noun}.deleted`]: EventType & { payload: ReturnType<typeof Deleted> } }

interface ResourceEventOptions {
  /** The noun as people write it, where it is not the noun with spaces. */
  label?: string
  /** Fields that may be too long for an event. Their schema must allow null. */
  omits?: readonly string[]
}

/** Declares the three events that most resources have: created, updated and deleted. */
export function resourceEvents<Noun extends string, Resource extends z.ZodObject>(
  noun: Noun,
  resource: Resource,
  { label = noun.replaceAll('_', ' '), omits }: ResourceEventOptions = {},
): ResourceEvents<Noun, Resource> {
  const subject = /^[aeiou]/.test(label) ? `An ${label}` : `A ${label}`
  const id = resource.meta()?.id ?? noun
  return {
    [`${noun}.created`]: { description: `${subject} was created.`, payload: resource, ...(omits && { omits }) },
    [`${noun}.updated`]: {
      description: `${subject} was changed. \`changes\` lists each changed field with its old and new value.`,
      payload: resource.extend({ changes: Changes }).meta({ id: `${id}Updated` }),
      ...(omits && { omits }),
    },
    [`${noun}.deleted`]: {
      description: `${subject} was permanently deleted.`,
      payload: Deleted(noun).meta({ id: `${id}Deleted` }),
    },
  } as unknown as ResourceEvents<Noun, Resource>
}
