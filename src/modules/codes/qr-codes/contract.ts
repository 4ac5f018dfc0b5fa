import { z } from 'zod'
import { choice, externalIdHint, field, offsetQuery, operations, recorded } from '../../../platform/contract/index.ts'
import { imageOperations, QrCodePicture } from '../code-images/contract.ts'
import { Destination, DestinationArticleId, destinationFields, Status } from '../destinations/contract.ts'
import { historyOperations } from '../history/contract.ts'
import { keyValueFields, keyValueOperations, QrCodeProperty } from '../key-values/contract.ts'
import { hasRules, ruleOperations } from '../rules/contract.ts'
import { CodeSlug, checkSlug, codeParams, slugFields } from '../scan-targets/contract.ts'
import { scanOperations } from '../scans/contract.ts'

const BATCH_MAX = 1000
/** The response, and the events, repeat the shared fields for every code. */
const BATCH_BYTES_MAX = 5_000_000

const name = field.name(200).meta({ examples: ['Front door'] })
const externalId = field.externalId.meta({ examples: ['sign-0042'] })
const objectId = field.id
  .describe(
    'The object that the code is stuck on. Its scans count for both, and a code without a destination and rules of its own leads where the object leads.',
  )
  .meta({ examples: [null] })
const description = field.text(0, 2000).meta({ examples: ['Beside the bell'] })

const from = field
  .name(100)
  .describe('The service that counted them.')
  .meta({ examples: ['bitly'] })
const scans = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .meta({ examples: [1280] })

/** What is known of a code from before it was moved here. */
export const Imported = z
  .object({
    scans: scans.describe('The scans that were counted there. Part of `total_scans`.'),
    created_at: field.timestamp.describe('When the code was created there. The `created_at` of the code.'),
    from,
  })
  .meta({ id: 'ImportedScans', description: 'What another service knew about a code that was moved here.' })
export type Imported = z.infer<typeof Imported>

export const ImportedInput = z
  .strictObject({
    scans: scans
      .optional()
      .describe(
        'The scans that were counted there. They are added to `total_scans`. Left out, an existing code keeps its number.',
      ),
    created_at: field.timestamp
      .optional()
      .describe('When the code was created there. Becomes `created_at` of a new code; not in the future.'),
    from,
  })
  .meta({ id: 'ImportedScansInput' })
export type ImportedInput = z.output<typeof ImportedInput>

export const QrCode = z
  .object({
    object: z.literal('qr_code'),
    id: field.id,
    group_id: field.id.nullable(),
    object_id: objectId.nullable(),
    external_id: externalId.nullable(),
    public_slug: CodeSlug.describe('Never changes, and is never reused.'),
    domain_id: field.id
      .nullable()
      .describe('The custom domain on which alone the code works. Null if it works on all hosts of your organisation.'),
    url: z.string().meta({
      format: 'uri',
      description: 'The URL to print as a QR code.',
      examples: ['https://go.acme.com/aB3dE5gH'],
    }),
    name: name.nullable(),
    description: description.nullable(),
    status: Status,
    destination: Destination,
    destination_article_id: DestinationArticleId,
    has_rules: hasRules,
    total_scans: recorded(
      z.int().meta({ description: 'The number of scans by people, imported ones included.', examples: [42] }),
    ),
    imported: Imported.nullable().describe('Null unless the code was moved here from another service.'),
    last_scanned_at: field.timestamp.nullable(),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({
    id: 'QrCode',
    description: 'A QR code. Its printed URL never changes; its destination can change at any time.',
  })
export type QrCode = z.infer<typeof QrCode>

const fields = {
  description: description.nullable().optional(),
  group_id: field.id.nullable().optional().describe('Null removes the code from its group.'),
  object_id: objectId.nullable().optional(),
  ...destinationFields,
  status: Status.optional(),
  ...keyValueFields,
}

const changing = { name: name.nullable().optional(), external_id: externalId.nullable().optional(), ...fields }

export const QrCodeCreate = z
  .strictObject({
    ...changing,
    ...slugFields,
    imported: ImportedInput.optional().describe('What another service knew about the code.'),
  })
  .superRefine(checkSlug)
  .meta({ id: 'QrCodeCreate' })
export type QrCodeCreate = z.output<typeof QrCodeCreate>

const QrCodeUpdate = z.strictObject(changing).meta({ id: 'QrCodeUpdate' })
export type QrCodeUpdate = z.output<typeof QrCodeUpdate>

const count = z
  .int({ error: `Must be a whole number from 1 to ${BATCH_MAX}` })
  .min(1)
  .max(BATCH_MAX)

export const QrCodeBatch = z
  .strictObject({
    count: count.optional().meta({ description: 'The number of identical codes to create.', examples: [250] }),
    name_prefix: field
      .name(190)
      .optional()
      .describe('Name prefix; the codes are numbered from 1.')
      .meta({ examples: ['Chair'] }),
    ...fields,
    domain_id: slugFields.domain_id,
    items: z
      .array(QrCodeCreate)
      .min(1, { error: 'Must have at least one code' })
      .max(BATCH_MAX, { error: `Must have at most ${BATCH_MAX} codes` })
      .optional()
      .describe('The codes to create or change, each with its own fields. Use instead of `count`.'),
  })
  .superRefine(({ count, items, ...shared }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message })
    if ((count === undefined) === (items === undefined)) refuse('Must have either count or items')
    if (items !== undefined && Object.values(shared).some((value) => value !== undefined))
      refuse('Must not have other fields together with items')
    if ((count ?? 0) * Buffer.byteLength(JSON.stringify(shared)) > BATCH_BYTES_MAX)
      refuse('Must have fewer codes or shorter fields: more than 5 MB in total')
  })
  .meta({ id: 'QrCodeBatch' })
export type QrCodeBatch = z.output<typeof QrCodeBatch>

export const QrCodes = z.object({ object: z.literal('list'), data: z.array(QrCode) }).meta({ id: 'QrCodes' })
export type QrCodes = z.infer<typeof QrCodes>

export const qrCodes = operations(
  {
    name: 'qr-codes',
    title: 'QR codes',
    about:
      'Print a code once and change its destination at any time. Every scan is recorded before the visitor is redirected.',
    area: 'qr',
    hint: externalIdHint('/qr-codes', 'a QR code'),
  },
  {
    list: {
      method: 'GET',
      path: '/qr-codes',
      summary: 'List QR codes',
      description: 'Archived codes are only listed with `status=archived`.',
      query: offsetQuery({
        sort: choice({ recent: 'Newest first.', name: 'By name.', scans: 'Most scanned first.' })
          .default('recent')
          .describe('The order of the list.'),
        group_id: field.id.optional().describe('Only codes in this group.'),
        object_id: field.id.optional().describe('Only codes of this object.'),
        external_id: externalId.optional().describe('Only the code with this ID of yours.'),
        status: Status.optional().describe('Only codes with this status.'),
        search: field.search,
      }),
      offset: QrCode,
    },
    create: {
      method: 'POST',
      path: '/qr-codes',
      summary: 'Create or change a QR code',
      description:
        '`status` defaults to `active` with a destination and to `unconfigured` without one. If a code already has this `external_id`, it is changed instead: fields that you send are replaced, everything else is kept, including its id and slug. The response is then 200. A `public_slug` that is taken is 409.',
      body: QrCodeCreate,
      created: QrCode,
      ok: QrCode,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({ name: `Front door ${n}`, destination: { type: 'url', url: 'https://acme.com/welcome' } }),
    },
    createBatch: {
      method: 'POST',
      path: '/qr-codes/batch',
      summary: 'Create or change many QR codes',
      description:
        'All codes or none. Send `count` for identical new codes, or `items` for codes with different fields. An item whose `external_id` a code already has changes that code, so that the request can be repeated. The response is 201 if any code is new, otherwise 200.',
      body: QrCodeBatch,
      created: QrCodes,
      ok: QrCodes,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({ count: 3, name_prefix: `Chair ${n}`, destination: { url: 'https://acme.com/chairs' } }),
    },
    get: { method: 'GET', path: '/qr-codes/{id}', summary: 'Get a QR code', ...codeParams, ok: QrCode },
    update: {
      method: 'PATCH',
      path: '/qr-codes/{id}',
      summary: 'Change a QR code',
      description: 'The next scan uses the change.',
      ...codeParams,
      body: QrCodeUpdate,
      ok: QrCode,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({ name: `Back door ${n}` }),
    },
    delete: {
      method: 'DELETE',
      path: '/qr-codes/{id}',
      summary: 'Delete a QR code',
      description: 'Later scans show a "no longer in use" page. The slug is never reused.',
      ...codeParams,
    },
    ...keyValueOperations('/qr-codes', 'a QR code', QrCodeProperty, codeParams),
    ...scanOperations('/qr-codes', 'a QR code', codeParams),
    ...ruleOperations('/qr-codes', 'a QR code', codeParams),
    ...historyOperations('/qr-codes', 'a QR code', codeParams),
    ...imageOperations('/qr-codes', 'a QR code', QrCodePicture, codeParams),
  },
)
