import { z } from 'zod'
import {
  batchBody,
  batchResponse,
  choice,
  field,
  offsetQuery,
  operations,
  recorded,
} from '../../../platform/contract/index.ts'
import { Metadata, MetadataInput } from '../../../platform/contract/metadata.ts'
import { productImageOperations } from '../code-images/contract.ts'
import { DestinationArticleId, destinationFields, ProductDestination, Status } from '../destinations/contract.ts'
import { historyOperations } from '../history/contract.ts'
import { keyValueFields, keyValueOperations, ProductProperty } from '../key-values/contract.ts'
import { hasRules, ruleOperations } from '../rules/contract.ts'
import { scanOperations } from '../scans/contract.ts'

const IMAGE_URLS_MAX = 20
const IMAGE_URL_LENGTH_MAX = 2048
const SORT_ORDER_MAX = 1_000_000
/** Ignores the check digit: a `by-gtin` path with a wrong one returns 404, not 400. */
const GTIN_FORM = /^(?:\d{8}|\d{12,14})$/

const name = field.name(200).meta({ examples: ['Oak chair'] })
const description = field.text(0, 2000).meta({ examples: ['Solid oak, oiled'] })
const gtin = z
  .string()
  .regex(GTIN_FORM, { error: 'Must be 8, 12, 13 or 14 digits' })
  .meta({ description: 'A GTIN-8, -12, -13 or -14 with its check digit.', examples: ['9506000134352'] })
export const Product = z
  .object({
    object: z.literal('product'),
    id: field.id,
    name,
    gtin: z
      .string()
      .nullable()
      .meta({ description: 'Always a GTIN-14, also when you sent a shorter form.', examples: ['09506000134352'] }),
    description: description.nullable(),
    status: Status,
    destination: ProductDestination,
    destination_article_id: DestinationArticleId,
    has_rules: hasRules,
    metadata: Metadata,
    url: z
      .string()
      .nullable()
      .meta({
        format: 'uri',
        description: 'The GS1 Digital Link to print as a QR code. Null without a gtin.',
        examples: ['https://go.acme.com/g/acme/01/09506000134352'],
      }),
    total_scans: recorded(z.int().meta({ description: 'The number of scans by people.', examples: [42] })),
    last_scanned_at: field.timestamp.nullable(),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({ id: 'Product', description: 'A product. A scan of its GS1 Digital Link redirects to its destination.' })
export type Product = z.infer<typeof Product>

/** URLs are validated when they are fetched: a bad one must not prevent the product from being created. */
const imageUrl = field.text(1, IMAGE_URL_LENGTH_MAX).meta({ examples: ['https://acme.com/images/oak-chair.jpg'] })

export const ProductCreated = Product.extend({
  failed_image_urls: z
    .array(imageUrl)
    .optional()
    .describe(
      'The `image_urls` that could not be fetched, whose image is damaged or has too many pixels, or does not fit into the storage of your organisation. Only present if you sent `image_urls`.',
    )
    .meta({ examples: [[]] }),
}).meta({ id: 'ProductCreated' })
export type ProductCreated = z.infer<typeof ProductCreated>

const fields = {
  gtin: gtin.nullable().optional(),
  description: description.nullable().optional(),
  ...destinationFields,
  status: Status.optional(),
  metadata: MetadataInput.optional(),
  ...keyValueFields,
}

export const ProductCreate = z
  .strictObject({
    name,
    ...fields,
    image_urls: z
      .array(imageUrl)
      .max(IMAGE_URLS_MAX, { error: `Must have at most ${IMAGE_URLS_MAX} URLs` })
      .optional()
      .meta({
        description: 'Images to fetch. Those that fail are listed in `failed_image_urls`.',
        examples: [['https://acme.com/images/oak-chair.jpg']],
      }),
  })
  .meta({ id: 'ProductCreate' })
export type ProductCreate = z.output<typeof ProductCreate>

export const ProductUpdate = z.strictObject({ name: name.optional(), ...fields }).meta({ id: 'ProductUpdate' })
export type ProductUpdate = z.output<typeof ProductUpdate>

/** An item without a GTIN would be created again by a repeated request. Images would take too long for many products. */
const ProductItem = z.strictObject({ name, ...fields, gtin }).meta({ id: 'ProductItem' })
const ProductBatch = batchBody(ProductItem).meta({ id: 'ProductBatch' })
export type ProductItem = z.output<typeof ProductItem>
export type ProductBatch = z.output<typeof ProductBatch>

const sortOrder = z
  .int({ error: `Must be a whole number from 0 to ${SORT_ORDER_MAX}` })
  .min(0)
  .meta({ description: 'Position among the images of the product.', examples: [0] })

export const ProductImage = z
  .object({
    object: z.literal('product_image'),
    id: field.id,
    product_id: field.id,
    file_url: z.string().meta({
      format: 'uri',
      description: 'Public URL of the file. No credential is needed.',
      examples: ['https://go.acme.com/assets/0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11.jpg'],
    }),
    file_name: z
      .string()
      .meta({ description: 'The file name in the URL it was fetched from.', examples: ['oak-chair.jpg'] }),
    media_type: choice({
      'image/jpeg': 'A JPEG image.',
      'image/png': 'A PNG image.',
      'image/webp': 'A WebP image.',
      'image/gif': 'A GIF image.',
    }),
    size_bytes: z.int().meta({ examples: [48213] }),
    sort_order: sortOrder,
    created_at: field.timestamp,
  })
  .meta({ id: 'ProductImage', description: 'An image of a product. Waymark stores a copy of the file.' })
export type ProductImage = z.infer<typeof ProductImage>

export const ProductImageCreate = z
  .strictObject({
    url: imageUrl.meta({ format: 'uri' }),
    sort_order: sortOrder.max(SORT_ORDER_MAX).optional().describe('Defaults to the position after the last image.'),
  })
  .meta({ id: 'ProductImageCreate' })
export type ProductImageCreate = z.output<typeof ProductImageCreate>

export const products = operations(
  {
    name: 'products',
    title: 'Products',
    about:
      'The products that you sell, identified by GTIN. The GS1 Digital Link on the package works at the checkout and redirects phones to your destination.',
    area: 'products',
    hint: (sent) =>
      GTIN_FORM.test(sent) ? `To find a product by its GTIN, use GET /products/by-gtin/${sent}` : undefined,
  },
  {
    list: {
      method: 'GET',
      path: '/products',
      summary: 'List products',
      description: 'Archived products are only listed with `status=archived`.',
      query: offsetQuery({
        sort: choice({ recent: 'Newest first.', name: 'By name.', scans: 'Most scanned first.' })
          .default('recent')
          .describe('The order of the list.'),
        status: Status.optional().describe('Only products with this status.'),
        search: field.search,
      }),
      offset: Product,
    },
    create: {
      method: 'POST',
      path: '/products',
      summary: 'Create a product',
      description:
        '`status` defaults to `active` with a destination and to `unconfigured` without one. If a product already has this `gtin`, the response is 409 and `details.id` is that product.',
      body: ProductCreate,
      created: ProductCreated,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({ name: `Oak chair ${n}`, destination: { url: 'https://acme.com/chairs/oak' } }),
    },
    createBatch: {
      method: 'POST',
      path: '/products/batch',
      summary: 'Create or change many products',
      description:
        'Each item is created, or changes the product that has its `gtin`: fields that you send are replaced, everything else is kept. Counts as one request, and can be repeated: what is already so is not changed and causes no event. Add images with `POST /products/{id}/images`; `image_urls` is not accepted here.',
      body: ProductBatch,
      reportsItems: true,
      ok: batchResponse('gtin', '09506000134352').meta({ id: 'ProductBatchResult' }),
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({
        items: [
          {
            gtin: '9506000140018',
            name: `Oak chair ${n}`,
            destination: { url: 'https://acme.com/chairs/oak' },
            properties: [{ key: 'material', value: 'Oak' }],
          },
        ],
      }),
    },
    get: { method: 'GET', path: '/products/{id}', summary: 'Get a product', ok: Product },
    getByGtin: {
      method: 'GET',
      path: '/products/by-gtin/{gtin}',
      summary: 'Get a product by its GTIN',
      description: 'Accepts the GTIN with 8, 12, 13 or 14 digits.',
      params: { gtin },
      ok: Product,
    },
    update: {
      method: 'PATCH',
      path: '/products/{id}',
      summary: 'Change a product',
      description: 'The next scan uses the change. A new `gtin` also changes `url`, so print the QR code again.',
      body: ProductUpdate,
      ok: Product,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({ name: `Oak armchair ${n}` }),
    },
    delete: {
      method: 'DELETE',
      path: '/products/{id}',
      summary: 'Delete a product',
      description: 'Also deletes its images. The GTIN can be used for another product.',
    },
    ...keyValueOperations('/products', 'a product', ProductProperty, {}),
    ...scanOperations('/products', 'a product', {}),
    ...ruleOperations('/products', 'a product', {}),
    ...historyOperations('/products', 'a product', {}),
    ...productImageOperations,
    listImages: {
      method: 'GET',
      path: '/products/{id}/images',
      summary: 'List the images of a product',
      query: offsetQuery({}),
      offset: ProductImage,
    },
    createImage: {
      method: 'POST',
      path: '/products/{id}/images',
      summary: 'Add an image to a product',
      description:
        'Fetches the file immediately and stores a copy: a JPEG, PNG, WebP or GIF of at most 15 MiB. If it does not fit into the storage of your organisation, `details.reason` is `storage_full`; `used_bytes` and `limit_bytes` tell how much is used and allowed. Deleting images and products frees storage.',
      body: ProductImageCreate,
      created: ProductImage,
      errors: ['unprocessable'],
      example: (n) => ({ url: `https://acme.com/images/oak-chair-${n}.jpg` }),
    },
    deleteImage: {
      method: 'DELETE',
      path: '/products/{id}/images/{image_id}',
      summary: 'Delete an image of a product',
      description: 'Also deletes the file.',
    },
  },
)
