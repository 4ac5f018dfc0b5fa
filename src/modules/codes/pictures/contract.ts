import { z } from 'zod'
import { field, queryInteger } from '../../../platform/contract/index.ts'
import { PublicSlug } from '../scan-targets/contract.ts'

const Ecl = z.enum(['L', 'M', 'Q', 'H'])

export const PictureQuery = z.strictObject({
  format: z
    .enum(['svg', 'png', 'pdf', 'json'])
    .optional()
    .describe('Defaults to the format that the Accept header prefers, then to SVG.'),
  size: queryInteger(64, 2000, 512).describe('Width and height, in pixels; in points for a PDF.'),
  margin: queryInteger(0, 20, 4).describe('The quiet zone around the code, in modules. Scanners need 4.'),
  ecl: Ecl.default('M').describe(
    'Error correction level: how much of the code may be damaged. L 7 %, M 15 %, Q 25 %, H 30 %.',
  ),
  dark: field.hexColor.default('#000000').describe('The colour of the modules, as #RRGGBB.'),
  light: field.hexColor.default('#ffffff').describe('The background colour, as #RRGGBB.'),
})
export type PictureQuery = z.output<typeof PictureQuery>

const PictureSymbol = z.enum(['qr', 'datamatrix'])

/** A part of a Digital Link. The service checks it with GS1's table. */
const qualifier = (ai: string, name: string, example: string) =>
  z
    .string()
    .optional()
    .meta({
      description: `${name} to add to the link (AI ${ai}): 1 to 20 letters, digits or any of !"%&'()*+,-./:;<=>?_`,
      examples: [example],
    })

export const ProductPictureQuery = PictureQuery.extend({
  symbol: PictureSymbol.default('qr').describe(
    'A QR code, or a Data Matrix, which takes less space on a small package.',
  ),
  cpv: qualifier('22', 'A consumer product variant', '2A'),
  lot: qualifier('10', 'A lot', 'ABC123'),
  serial: qualifier('21', 'A serial number', '12345678'),
  text: z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true')
    .describe('Whether the GTIN, variant, lot and serial number stand beneath the code, for people to read.'),
  size: queryInteger(64, 2000, 512).describe(
    'Width, in pixels; in points for a PDF. The text beneath the code adds to the height.',
  ),
  margin: queryInteger(0, 20, 4).describe(
    'The quiet zone around the code, in modules. Scanners need 4 around a QR code, 1 around a Data Matrix. The text keeps that distance at any margin.',
  ),
  ecl: PictureQuery.shape.ecl.describe(
    'Error correction level of a QR code: how much of it may be damaged. L 7 %, M 15 %, Q 25 %, H 30 %. A Data Matrix always has the same.',
  ),
})
export type ProductPictureQuery = z.output<typeof ProductPictureQuery>

const imageFields = {
  format: z.literal('png'),
  size: z.int().meta({ examples: [512] }),
  margin: z.int().meta({ examples: [4] }),
  ecl: Ecl,
  encoded_url: z.string().meta({ description: 'The URL in the QR code.', examples: ['https://go.acme.com/aB3dE5gH'] }),
  data_url: z
    .string()
    .meta({ description: 'The PNG as a data URL.', examples: ['data:image/png;base64,iVBORw0KGgo='] }),
}

/** The JSON format of an image. `owner` has the fields that identify the target. */
const imageJson = <Owner extends z.core.$ZodLooseShape>(id: string, owner: Owner) =>
  z
    .object({ object: z.literal('qr_code_image'), ...owner, ...imageFields })
    .meta({ id, description: 'A QR code image as a data URL that you can embed in a page.' })

export const QrCodePicture = imageJson('QrCodePicture', { qr_code_id: field.id, public_slug: PublicSlug })
export const ObjectPicture = imageJson('ObjectPicture', { object_id: field.id, public_slug: PublicSlug })
const ProductPicture = z
  .object({
    object: z.enum(['qr_code_image', 'data_matrix_image']),
    product_id: field.id,
    gtin: z.string().meta({ examples: ['09506000134352'] }),
    symbol: PictureSymbol,
    text: z
      .string()
      .nullable()
      .meta({
        description: 'The text beneath the code, with the AI of each part in brackets.',
        examples: ['(01) 09506000134352 (10) ABC123'],
      }),
    ...imageFields,
    size: imageFields.size.describe('The width of the PNG.'),
    height: z.int().meta({ description: 'The height of the PNG.', examples: [583] }),
    ecl: Ecl.nullable().describe('Null for a Data Matrix.'),
    encoded_url: z.string().meta({
      description: 'The GS1 Digital Link in the code.',
      examples: ['https://id.acme.com/01/09506000134352/10/ABC123'],
    }),
  })
  .meta({
    id: 'ProductPicture',
    description: 'The image of a Digital Link as a data URL that you can embed in a page.',
  })

const fileOf = (json: z.ZodObject) =>
  ({ 'image/svg+xml': null, 'image/png': null, 'application/pdf': null, 'application/json': json }) as const

/** The operation that returns the QR code image of one kind of target. */
export const imageOperations = <Base extends `/${string}`, Params extends object>(
  base: Base,
  owner: string,
  json: z.ZodObject,
  params: Params,
) =>
  ({
    getImage: {
      method: 'GET',
      path: `${base}/{id}/image`,
      summary: `Get the QR code image of ${owner}`,
      description: 'Ready for print: SVG and PDF are vector graphics.',
      ...params,
      query: PictureQuery,
      file: fileOf(json),
    },
  }) as const

export const productImageOperations = {
  getImage: {
    method: 'GET',
    path: '/products/{id}/image',
    summary: 'Get the code image of a product',
    description:
      'The GS1 Digital Link of the product as a QR code or Data Matrix, on your own domain if one is verified. With a lot and a serial number it identifies one lot or one item. Ready for print: SVG and PDF are vector graphics.',
    errors: ['unprocessable'],
    query: ProductPictureQuery,
    file: fileOf(ProductPicture),
  },
} as const
