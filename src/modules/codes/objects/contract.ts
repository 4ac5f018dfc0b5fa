import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { Metadata, MetadataInput } from '../../../platform/contract/metadata.ts'
import { Destination, DestinationInput } from '../destinations/contract.ts'
import { KeyValueList, keyValueOperations, ObjectProperty } from '../key-values/contract.ts'
import { imageOperations, ObjectPicture } from '../pictures/contract.ts'
import { PublicSlug } from '../scan-targets/contract.ts'
import { scanOperations } from '../scans/contract.ts'

const type = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'Must be 1 to 64 letters, digits or -' })
  .meta({ description: 'Your own name for this kind of object.', examples: ['chair'] })
const externalId = field
  .text(1, 255)
  .meta({ description: 'Your own ID. Unique in your organisation.', examples: ['chair-0042'] })
/** Everything else, such as check digits, is a rule of the service. */
const gs1Key = field
  .text(1, 200)
  .regex(/^\d{2,4}\/\S+$/, { error: 'Must be a GS1 key such as 8004/9506000CHAIR0042' })
  .meta({
    description:
      'A GS1 key, as in the path of a GS1 Digital Link: the application identifier of an asset (8004, 8003), location (414), logistic unit (00), document (253), coupon (255), component (8010) or service relation (8017, 8018), a slash and the value. Unique in your organisation.',
    examples: ['8004/9506000CHAIR0042'],
  })
const name = field.name(200).meta({ examples: ['Reading chair'] })
const description = field.text(0, 2000).meta({ examples: ['By the window, second floor'] })
const isActive = z.boolean().meta({ description: 'When false, scans show a "paused" page.', examples: [true] })

/** Not called `Object` in code, because JavaScript has one. */
export const TaggedObject = z
  .object({
    object: z.literal('object'),
    id: field.id,
    type,
    external_id: externalId.nullable(),
    gs1_key: gs1Key.nullable(),
    public_slug: PublicSlug.describe('Never changes, and is never reused.'),
    url: z.string().meta({
      format: 'uri',
      description: 'The URL to print as a QR code.',
      examples: ['https://go.acme.com/o/aB3dE5gH'],
    }),
    name: name.nullable(),
    description: description.nullable(),
    metadata: Metadata,
    destination: Destination,
    is_active: isActive,
    total_scans: z.int().meta({ description: 'The number of scans by people.', examples: [42] }),
    last_scanned_at: field.timestamp.nullable(),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({
    id: 'Object',
    description: 'One of your things, such as a machine or a chair. Its printed URL never changes.',
  })
export type TaggedObject = z.infer<typeof TaggedObject>

const fields = {
  external_id: externalId.nullable().optional(),
  gs1_key: gs1Key.nullable().optional(),
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
      'Your own things, each with its own QR code. Describe them with a `type` of your choice and, optionally, your own ID.',
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
          .describe('Newest first, by name, by type (newest first within a type), or most scanned first.'),
        type: type.optional().describe('Only objects of this type.'),
        external_id: externalId.optional().describe('Only the object with this ID of yours.'),
        gs1_key: gs1Key.optional().describe('Only the object with this GS1 key.'),
        is_active: z
          .enum(['true', 'false'])
          .transform((text) => text === 'true')
          .optional()
          .describe('Only active objects, or only inactive ones.'),
        search: field.search,
      }),
      offset: TaggedObject,
    },
    create: {
      method: 'POST',
      path: '/objects',
      summary: 'Create or change an object',
      description:
        'If an object already has this `external_id`, it is changed instead: fields that you send are replaced, everything else is kept, including its id and slug. The response is then 200.',
      body: TaggedObjectCreate,
      created: TaggedObject,
      ok: TaggedObject,
      errors: ['conflict', 'unprocessable'],
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
      description: 'The next scan uses the change.',
      body: TaggedObjectUpdate,
      ok: TaggedObject,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({ name: `Armchair ${n}` }),
    },
    delete: {
      method: 'DELETE',
      path: '/objects/{id}',
      summary: 'Delete an object',
      description: 'Later scans show a "no longer in use" page. The slug is never reused.',
    },
    ...keyValueOperations('/objects', 'an object', ObjectProperty, {}),
    ...scanOperations('/objects', 'an object', {}),
    ...imageOperations('/objects', 'an object', ObjectPicture, {}),
  },
)
