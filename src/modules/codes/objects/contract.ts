import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { Metadata, MetadataInput } from '../../../platform/contract/metadata.ts'
import { Destination, DestinationInput } from '../destinations/contract.ts'
import { KeyValueList, keyValueOperations, ObjectProperty } from '../key-values/contract.ts'
import { ObjectPicture, pictureOperations } from '../pictures/contract.ts'
import { PublicSlug } from '../scan-targets/contract.ts'
import { scanOperations } from '../scans/contract.ts'

const type = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'Must be 1 to 64 letters, digits or -' })
  .meta({ description: 'What kind of thing it is, in your own words.', examples: ['chair'] })
const externalId = field
  .text(1, 255)
  .meta({ description: 'What you call it yourself. Unique in your organisation.', examples: ['chair-0042'] })
const name = field.name(200).meta({ examples: ['Reading chair'] })
const description = field.text(0, 2000).meta({ examples: ['By the window, second floor'] })
const isActive = z
  .boolean()
  .meta({ description: 'When false, whoever scans it hears that it is paused.', examples: [true] })

/** A thing of the customer's with a code of its own. */
export const TaggedObject = z
  .object({
    object: z.literal('object'),
    id: field.id,
    type,
    external_id: externalId.nullable(),
    public_slug: PublicSlug.describe('Never changes and is never given to another.'),
    url: z
      .string()
      .meta({ format: 'uri', description: 'What is printed.', examples: ['https://go.acme.com/o/aB3dE5gH'] }),
    name: name.nullable(),
    description: description.nullable(),
    metadata: Metadata,
    destination: Destination,
    is_active: isActive,
    total_scans: z.int().meta({ description: 'How often people scanned it.', examples: [42] }),
    last_scanned_at: field.timestamp.nullable(),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({
    id: 'Object',
    description: 'One thing of yours, such as a machine or a chair. Its printed address stays for ever.',
  })
export type TaggedObject = z.infer<typeof TaggedObject>

const fields = {
  external_id: externalId.nullable().optional(),
  name: name.nullable().optional(),
  description: description.nullable().optional(),
  metadata: MetadataInput.optional(),
  destination: DestinationInput.optional(),
  is_active: isActive.optional(),
}

export const TaggedObjectCreate = z
  .strictObject({
    type,
    ...fields,
    properties: KeyValueList.optional().describe('Replaces the whole list.'),
    url_params: KeyValueList.optional().describe('Replaces the whole list.'),
  })
  .meta({ id: 'ObjectCreate' })
export type TaggedObjectCreate = z.output<typeof TaggedObjectCreate>

export const TaggedObjectUpdate = z.strictObject({ type: type.optional(), ...fields }).meta({ id: 'ObjectUpdate' })
export type TaggedObjectUpdate = z.output<typeof TaggedObjectUpdate>

export const objects = operations(
  {
    name: 'objects',
    title: 'Objects',
    about:
      'Your own things, one by one, each with a code of its own. You call them what you like: a `type` and, if they have one, the id that they have with you.',
    area: 'objects',
  },
  {
    list: {
      method: 'GET',
      path: '/objects',
      summary: 'List objects',
      query: offsetQuery({
        sort: z
          .enum(['recent', 'name', 'type', 'scans'])
          .default('recent')
          .describe('Newest first, by name, by type and newest first within it, or most scans first.'),
        type: type.optional().describe('Only objects of this type.'),
        external_id: externalId.optional().describe('Only the object that you call this.'),
        is_active: z
          .enum(['true', 'false'])
          .transform((text) => text === 'true')
          .optional()
          .describe('Only objects that are active, or only those that are not.'),
        search: field.search,
      }),
      offset: TaggedObject,
    },
    create: {
      method: 'POST',
      path: '/objects',
      summary: 'Create or change an object',
      description:
        'With an `external_id` that an object has already, that object is changed: it gets what you send, keeps the rest, and keeps its id and slug. The answer is then 200.',
      body: TaggedObjectCreate,
      created: TaggedObject,
      ok: TaggedObject,
      errors: ['unprocessable'],
      example: (n) => ({
        type: 'chair',
        external_id: `chair-${n}`,
        name: `Reading chair ${n}`,
        metadata: { material: 'oak' },
        destination: { type: 'url', url: 'https://acme.com/chairs' },
      }),
    },
    get: { method: 'GET', path: '/objects/{id}', summary: 'Get an object', ok: TaggedObject },
    update: {
      method: 'PATCH',
      path: '/objects/{id}',
      summary: 'Change an object',
      description: 'The next scan follows the change.',
      body: TaggedObjectUpdate,
      ok: TaggedObject,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({ name: `Armchair ${n}` }),
    },
    delete: {
      method: 'DELETE',
      path: '/objects/{id}',
      summary: 'Delete an object',
      description: 'Whoever scans it from then on hears that it is gone. Its slug is never given to another object.',
    },
    ...keyValueOperations('/objects', 'an object', ObjectProperty, {}),
    ...scanOperations('/objects', 'an object', {}),
    ...pictureOperations('/objects', 'an object', ObjectPicture, {}),
  },
)
