import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { Destination, DestinationInput, Status } from '../destinations/contract.ts'
import { keyValueOperations, QrCodeProperty } from '../key-values/contract.ts'
import { pictureOperations, QrCodePicture } from '../pictures/contract.ts'
import { PublicSlug } from '../scan-targets/contract.ts'
import { scanOperations } from '../scans/contract.ts'

const BATCH_MAX = 1000

const name = field.name(200).meta({ examples: ['Front door'] })
const description = field.text(0, 2000).meta({ examples: ['Beside the bell'] })

/** A code that is printed once and can be led anywhere, for ever. */
export const QrCode = z
  .object({
    object: z.literal('qr_code'),
    id: field.id,
    group_id: field.id.nullable(),
    public_slug: PublicSlug.describe('Never changes and is never given to another.'),
    url: z
      .string()
      .meta({ format: 'uri', description: 'What is printed.', examples: ['https://go.acme.com/aB3dE5gH'] }),
    name: name.nullable(),
    description: description.nullable(),
    status: Status,
    destination: Destination,
    total_scans: z.int().meta({ description: 'How often people scanned it.', examples: [42] }),
    last_scanned_at: field.timestamp.nullable(),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({
    id: 'QrCode',
    description: 'A QR code. Its printed address stays for ever; where it leads can change at any time.',
  })
export type QrCode = z.infer<typeof QrCode>

const fields = {
  description: description.nullable().optional(),
  group_id: field.id.nullable().optional().describe('Null takes it out of its group.'),
  destination: DestinationInput.optional(),
  status: Status.optional(),
}

export const QrCodeCreate = z.strictObject({ name: name.nullable().optional(), ...fields }).meta({ id: 'QrCodeCreate' })
export type QrCodeCreate = z.output<typeof QrCodeCreate>

const QrCodeUpdate = QrCodeCreate.meta({ id: 'QrCodeUpdate' })

const count = z
  .int({ error: `Must be a whole number from 1 to ${BATCH_MAX}` })
  .min(1)
  .max(BATCH_MAX)

export const QrCodeBatch = z
  .strictObject({
    count: count.optional().meta({ description: 'How many codes that are all alike.', examples: [250] }),
    name_prefix: field
      .name(190)
      .optional()
      .describe('They are called this and a number from 1.')
      .meta({ examples: ['Chair'] }),
    ...fields,
    items: z
      .array(QrCodeCreate)
      .min(1, { error: 'Must have at least one code' })
      .max(BATCH_MAX, { error: `Must have at most ${BATCH_MAX} codes` })
      .optional()
      .describe('Or each code by itself.'),
  })
  .superRefine(({ count, items, ...shared }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message })
    if ((count === undefined) === (items === undefined)) refuse('Must have either count or items')
    if (items !== undefined && Object.values(shared).some((value) => value !== undefined))
      refuse('Must have no other fields beside items')
  })
  .meta({ id: 'QrCodeBatch' })
export type QrCodeBatch = z.output<typeof QrCodeBatch>

export const QrCodes = z.object({ object: z.literal('list'), data: z.array(QrCode) }).meta({ id: 'QrCodes' })
export type QrCodes = z.infer<typeof QrCodes>

/** A code is named by its id, or by the slug that is printed on it. */
const params = {
  params: {
    id: z
      .union([field.id, PublicSlug], { error: 'Must be a UUID or a public slug' })
      .meta({ description: 'The id of the QR code, or its public slug.' }),
  },
} as const

export const qrCodes = operations(
  {
    name: 'qr-codes',
    title: 'QR codes',
    about:
      'Codes that are printed once and can be led anywhere at any time. Every scan is counted before the visitor is sent on.',
    area: 'qr',
  },
  {
    list: {
      method: 'GET',
      path: '/qr-codes',
      summary: 'List QR codes',
      description: 'Archived codes are left out unless you ask for them by `status=archived`.',
      query: offsetQuery({
        sort: z
          .enum(['recent', 'name', 'scans'])
          .default('recent')
          .describe('Newest first, by name, or most scans first.'),
        group_id: field.id.optional().describe('Only codes of this group.'),
        status: Status.optional().describe('Only codes with this status.'),
        search: field.search,
      }),
      offset: QrCode,
    },
    create: {
      method: 'POST',
      path: '/qr-codes',
      summary: 'Create a QR code',
      description: 'With a destination it is `active`, without one `unconfigured`, unless you say otherwise.',
      body: QrCodeCreate,
      created: QrCode,
      errors: ['unprocessable'],
      example: (n) => ({ name: `Front door ${n}`, destination: { type: 'url', url: 'https://acme.com/welcome' } }),
    },
    createBatch: {
      method: 'POST',
      path: '/qr-codes/batch',
      summary: 'Create many QR codes',
      description: 'All or none. Either `count` codes that are alike, or `items`, each by itself.',
      body: QrCodeBatch,
      created: QrCodes,
      errors: ['unprocessable'],
      example: (n) => ({ count: 3, name_prefix: `Chair ${n}`, destination: { url: 'https://acme.com/chairs' } }),
    },
    get: { method: 'GET', path: '/qr-codes/{id}', summary: 'Get a QR code', ...params, ok: QrCode },
    update: {
      method: 'PATCH',
      path: '/qr-codes/{id}',
      summary: 'Change a QR code',
      description: 'The next scan follows the change.',
      ...params,
      body: QrCodeUpdate,
      ok: QrCode,
      errors: ['unprocessable'],
      example: (n) => ({ name: `Back door ${n}` }),
    },
    delete: {
      method: 'DELETE',
      path: '/qr-codes/{id}',
      summary: 'Delete a QR code',
      description: 'Whoever scans it from then on hears that it is gone. Its slug is never given to another code.',
      ...params,
    },
    ...keyValueOperations('/qr-codes', 'a QR code', QrCodeProperty, params),
    ...scanOperations('/qr-codes', 'a QR code', params),
    ...pictureOperations('/qr-codes', 'a QR code', QrCodePicture, params),
  },
)
