import { z } from 'zod'
import {
  batchBody,
  batchResponse,
  choice,
  externalIdHint,
  field,
  offsetQuery,
  operations,
  queryBoolean,
  recorded,
} from '../../../platform/contract/index.ts'
import { Metadata, MetadataInput } from '../../../platform/contract/metadata.ts'
import { imageOperations, ObjectPicture } from '../code-images/contract.ts'
import { Destination, DestinationArticleId, destinationFields } from '../destinations/contract.ts'
import { historyOperations } from '../history/contract.ts'
import { keyValueFields, keyValueOperations, ObjectProperty } from '../key-values/contract.ts'
import { hasRules, ruleOperations } from '../rules/contract.ts'
import { PublicSlug } from '../scan-targets/contract.ts'
import { scanOperations } from '../scans/contract.ts'

const type = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'Must be 1 to 64 letters, digits or -' })
  .meta({ description: 'Your own name for this kind of object.', examples: ['chair'] })
const externalId = field.externalId
/** Everything else, such as check digits, is a rule of the service. */
const gs1Key = field
  .text(1, 200)
  .regex(/^\d{2,4}\/\S+$/, { error: 'Must be a GS1 key such as 8004/9506000CHAIR0042' })
  .meta({
    description:
      'A GS1 key, as in the path of a GS1 Digital Link: the application identifier of an asset (8004, 8003), location (414), logistic unit (00), document (253), coupon (255), component (8010) or service relation (8017, 8018), a slash and the value. Unique in your organisation. With `{rest}` at the end, as in `8004/9506000CRATE{rest}`, the object stands for all keys that begin like this and belong to no other object; only for keys of variable length (8004, 8010, 8003, 253, 255).',
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
    destination_article_id: DestinationArticleId,
    has_rules: hasRules,
    is_active: isActive,
    total_scans: recorded(z.int().meta({ description: 'The number of scans by people.', examples: [42] })),
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
  ...destinationFields,
  is_active: isActive.optional(),
  ...keyValueFields,
}

export const TaggedObjectCreate = z.strictObject({ type, ...fields }).meta({ id: 'ObjectCreate' })
export type TaggedObjectCreate = z.output<typeof TaggedObjectCreate>

export const TaggedObjectUpdate = z.strictObject({ type: type.optional(), ...fields }).meta({ id: 'ObjectUpdate' })
export type TaggedObjectUpdate = z.output<typeof TaggedObjectUpdate>

/** An item without an ID of its own would be created again by a repeated request. */
const ObjectItem = z.strictObject({ type, ...fields, external_id: externalId }).meta({ id: 'ObjectItem' })
const TaggedObjectBatch = batchBody(ObjectItem).meta({ id: 'ObjectBatch' })
export type TaggedObjectBatch = z.output<typeof TaggedObjectBatch>

export const objects = operations(
  {
    name: 'objects',
    title: 'Objects',
    about:
      'Your own things, each with its own QR code. Describe them with a `type` of your choice and, optionally, your own ID.',
    area: 'objects',
    hint: externalIdHint('/objects', 'an object'),
  },
  {
    list: {
      method: 'GET',
      path: '/objects',
      summary: 'List objects',
      query: offsetQuery({
        sort: choice({
          recent: 'Newest first.',
          name: 'By name.',
          type: 'By type, and newest first within a type.',
          scans: 'Most scanned first.',
        })
          .default('recent')
          .describe('The order of the list.'),
        type: type.optional().describe('Only objects of this type.'),
        external_id: externalId.optional().describe('Only the object with this ID of yours.'),
        gs1_key: gs1Key.optional().describe('Only the object with this GS1 key.'),
        is_active: queryBoolean().optional().describe('Only active objects, or only inactive ones.'),
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
    createBatch: {
      method: 'POST',
      path: '/objects/batch',
      summary: 'Create or change many objects',
      description:
        'Each item is created, or changes the object that has its `external_id`, as with one object. Counts as one request, and can be repeated: what is already so is not changed and causes no event.',
      body: TaggedObjectBatch,
      reportsItems: true,
      ok: batchResponse('external_id', 'chair-0042').meta({ id: 'ObjectBatchResult' }),
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({
        items: [
          { external_id: `chair-${n}-a`, type: 'chair', properties: [{ key: 'material', value: 'Oak' }] },
          { external_id: `chair-${n}-b`, type: 'chair', destination: { url: 'https://acme.com/chairs' } },
        ],
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
    ...ruleOperations('/objects', 'an object', {}),
    ...historyOperations('/objects', 'an object', {}),
    ...imageOperations('/objects', 'an object', ObjectPicture, {}),
  },
)
