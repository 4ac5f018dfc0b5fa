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
  sort_order: z.int().meta({ description: 'Its place in the list, from 0.', examples: [0] }),
  created_at: field.timestamp,
  updated_at: field.timestamp,
})

const UrlParam = KeyValue.meta({
  id: 'UrlParam',
  description: 'A parameter that is added to the address which a scan is sent to.',
})

const property = <Name extends string>(object: Name, id: string, owner: string) =>
  z
    .object({ object: z.literal(object), ...KeyValue.shape })
    .meta({ id, description: `Something you want to remember about ${owner}.` })

export const ObjectProperty = property('object_property', 'ObjectProperty', 'an object')
export const ProductProperty = property('product_property', 'ProductProperty', 'a product')
export const QrCodeProperty = property('qr_code_property', 'QrCodeProperty', 'a QR code')
export const QrGroupProperty = property('qr_group_property', 'QrGroupProperty', 'a QR group')

/** The whole list as a caller sends it: keys are unique, and the order counts. */
export const KeyValueList = z
  .array(z.strictObject({ key, value }))
  .max(ENTRIES_MAX, { error: `Must have at most ${ENTRIES_MAX} entries` })
  .superRefine((entries, context) => {
    const seen = new Set<string>()
    for (const { key } of entries) {
      if (seen.has(key)) context.addIssue({ code: 'custom', message: `The key ${key} stands in the list twice` })
      seen.add(key)
    }
  })
export type KeyValueList = z.output<typeof KeyValueList>

const KeyValueQuery = offsetQuery({}, ENTRIES_MAX)

/** The operations on the two lists of something that leads somewhere. */
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
      description: 'The whole list, in its order. What is not in it is deleted.',
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
      description: 'The whole list, in its order. What is not in it is deleted. The next scan has the new ones.',
      ...params,
      query: KeyValueQuery,
      body: z.strictObject({ url_params: KeyValueList }),
      offset: UrlParam,
      example: () => ({ url_params: [{ key: 'utm_source', value: 'label' }] }),
    },
  }) as const
