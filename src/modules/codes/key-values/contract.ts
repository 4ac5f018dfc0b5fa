import { z } from 'zod'
import { field, offsetQuery } from '../../../platform/contract/index.ts'

const ENTRIES_MAX = 100
const VALUE_LENGTH_MAX = 2000

const key = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: 'Must be 1 to 64 letters, digits, _, . or -' })
  .meta({ examples: ['material'] })
const value = field.text(0, VALUE_LENGTH_MAX).meta({ examples: ['Oak'] })

const KeyValue = z.object({
  id: field.id,
  key,
  value,
  sort_order: z.int().meta({ description: 'Position in the list, starting at 0.', examples: [0] }),
  created_at: field.timestamp,
  updated_at: field.timestamp,
})

const UrlParam = KeyValue.meta({
  id: 'UrlParam',
  description: 'A query parameter that is added to the URL a scan redirects to.',
})

const property = <Name extends string>(object: Name, id: string, owner: string) =>
  z
    .object({ object: z.literal(object), ...KeyValue.shape })
    .meta({ id, description: `A key and value that you store with ${owner}.` })

export const ObjectProperty = property('object_property', 'ObjectProperty', 'an object')
export const ProductProperty = property('product_property', 'ProductProperty', 'a product')
export const QrCodeProperty = property('qr_code_property', 'QrCodeProperty', 'a QR code')
export const QrGroupProperty = property('qr_group_property', 'QrGroupProperty', 'a QR group')

/** A whole list in a request body. Keys are unique; the order is kept. */
export const KeyValueList = z
  .array(z.strictObject({ key, value }))
  .max(ENTRIES_MAX, { error: `Must have at most ${ENTRIES_MAX} entries` })
  .superRefine((entries, context) => {
    const seen = new Set<string>()
    for (const [at, { key }] of entries.entries()) {
      const message = `The key ${key} is in the list twice`
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [at, 'key'], message })
      seen.add(key)
    }
  })
export type KeyValueList = z.output<typeof KeyValueList>

/** The two lists in the body of a request that creates or changes what they belong to. */
export const keyValueFields = {
  properties: KeyValueList.optional().describe('Replaces the whole list.'),
  url_params: KeyValueList.optional().describe('Replaces the whole list.'),
}

/** The lists that a request contains. */
export type SentLists = { [Name in keyof typeof keyValueFields]?: KeyValueList | undefined }

const KeyValueQuery = offsetQuery({}, ENTRIES_MAX)

/** The operations on the two lists of one kind of owner. */
export const keyValueOperations = <Base extends `/${string}`, Property extends z.ZodObject, Params extends object>(
  base: Base,
  owner: string,
  property: Property,
  params: Params,
) =>
  ({
    listProperties: {
      method: 'GET',
      path: `${base}/{id}/properties`,
      summary: `List the properties of ${owner}`,
      ...params,
      query: KeyValueQuery,
      offset: property,
    },
    replaceProperties: {
      method: 'PUT',
      path: `${base}/{id}/properties`,
      summary: `Replace the properties of ${owner}`,
      description: 'Send the whole list, in order. Entries that you leave out are deleted.',
      ...params,
      query: KeyValueQuery,
      body: z.strictObject({ properties: KeyValueList }),
      offset: property,
      example: () => ({ properties: [{ key: 'material', value: 'Oak' }] }),
    },
    listUrlParams: {
      method: 'GET',
      path: `${base}/{id}/url-params`,
      summary: `List the URL params of ${owner}`,
      ...params,
      query: KeyValueQuery,
      offset: UrlParam,
    },
    replaceUrlParams: {
      method: 'PUT',
      path: `${base}/{id}/url-params`,
      summary: `Replace the URL params of ${owner}`,
      description:
        'Send the whole list, in order. Entries that you leave out are deleted. The next scan uses the new list.',
      ...params,
      query: KeyValueQuery,
      body: z.strictObject({ url_params: KeyValueList }),
      offset: UrlParam,
      example: () => ({ url_params: [{ key: 'utm_source', value: 'label' }] }),
    },
  }) as const
