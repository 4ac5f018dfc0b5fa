import { z } from 'zod'
import { choice, externalIdHint, field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { Destination, DestinationArticleId, destinationFields, Status } from '../destinations/contract.ts'
import { historyOperations } from '../history/contract.ts'
import { keyValueFields, keyValueOperations, QrGroupProperty } from '../key-values/contract.ts'
import { hasRules, ruleOperations } from '../rules/contract.ts'

const name = field.name(200).meta({ examples: ['Spring campaign'] })
const externalId = field.externalId.meta({ examples: ['campaign-0042'] })
const description = field.text(0, 2000).meta({ examples: ['Posters in all shops'] })

export const QrGroup = z
  .object({
    object: z.literal('qr_group'),
    id: field.id,
    external_id: externalId.nullable(),
    name,
    description: description.describe('An empty string when there is none.'),
    status: Status,
    destination: Destination,
    destination_article_id: DestinationArticleId,
    has_rules: hasRules,
    qr_code_count: z.int().meta({ description: 'The number of codes in the group.', examples: [250] }),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({
    id: 'QrGroup',
    description: 'A group of QR codes with a shared destination. Codes that have their own destination do not use it.',
  })
export type QrGroup = z.infer<typeof QrGroup>

const fields = {
  external_id: externalId.nullable().optional(),
  description: description.nullable().optional(),
  status: Status.optional(),
  ...destinationFields,
  ...keyValueFields,
}

export const QrGroupCreate = z.strictObject({ name, ...fields }).meta({ id: 'QrGroupCreate' })
export type QrGroupCreate = z.output<typeof QrGroupCreate>

export const QrGroupUpdate = z.strictObject({ name: name.optional(), ...fields }).meta({ id: 'QrGroupUpdate' })
export type QrGroupUpdate = z.output<typeof QrGroupUpdate>

export const qrGroups = operations(
  {
    name: 'qr-groups',
    title: 'QR groups',
    about:
      'A group gives its QR codes a shared destination: change it once for thousands of codes. Codes with their own destination are not affected.',
    area: 'qr',
    hint: externalIdHint('/qr-groups', 'a QR group'),
  },
  {
    list: {
      method: 'GET',
      path: '/qr-groups',
      summary: 'List QR groups',
      query: offsetQuery({
        sort: choice({ recent: 'Newest first.', name: 'By name.' })
          .default('recent')
          .describe('The order of the list.'),
        external_id: externalId.optional().describe('Only the group with this ID of yours.'),
      }),
      offset: QrGroup,
    },
    create: {
      method: 'POST',
      path: '/qr-groups',
      summary: 'Create or change a QR group',
      description:
        '`status` defaults to `active` with a destination and to `unconfigured` without one. If a group already has this `external_id`, it is changed instead: fields that you send are replaced, everything else is kept, including its id. The response is then 200.',
      body: QrGroupCreate,
      created: QrGroup,
      ok: QrGroup,
      errors: ['unprocessable'],
      example: (n) => ({ name: `Spring campaign ${n}`, destination: { url: 'https://acme.com/spring' } }),
    },
    get: { method: 'GET', path: '/qr-groups/{id}', summary: 'Get a QR group', ok: QrGroup },
    update: {
      method: 'PATCH',
      path: '/qr-groups/{id}',
      summary: 'Change a QR group',
      description: 'The next scan of its codes uses the change.',
      body: QrGroupUpdate,
      ok: QrGroup,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({ name: `Summer campaign ${n}` }),
    },
    delete: {
      method: 'DELETE',
      path: '/qr-groups/{id}',
      summary: 'Delete a QR group',
      description: 'Its codes are kept, without a group.',
    },
    ...keyValueOperations('/qr-groups', 'a QR group', QrGroupProperty, {}),
    ...ruleOperations('/qr-groups', 'a QR group', {}),
    ...historyOperations('/qr-groups', 'a QR group', {}),
  },
)
