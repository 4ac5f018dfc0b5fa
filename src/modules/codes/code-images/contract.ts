import { z } from 'zod'
import { choice, field, queryBoolean, queryInteger } from '../../../platform/contract/index.ts'
import { PublicSlug } from '../scan-targets/contract.ts'

const Ecl = choice({
  L: '7 % may be damaged.',
  M: '15 % may be damaged.',
  Q: '25 % may be damaged.',
  H: '30 % may be damaged.',
})

function millimetres(min: number, max: number) {
  const problem = `Must be a number from ${min} to ${max} with at most one decimal`
  return z
    .string()
    .regex(/^\d{1,4}(?:\.\d)?$/, { error: problem })
    .transform(Number)
    .refine((mm) => mm >= min && mm <= max, { error: problem })
    .optional()
}

const caption = field
  .name(100)
  .transform((text) => text.normalize('NFC').replace(/\s+/g, ' '))
  .optional()
  .meta({
    description: 'A text beneath the code, in Latin letters: 1 to 100 characters. It adds to the height.',
    examples: ['Scan for the manual'],
  })

export const PictureQuery = z.strictObject({
  format: choice({
    svg: 'A vector image, for the web and for print.',
    png: 'A pixel image.',
    pdf: 'A PDF of one page, for print.',
    json: 'The PNG as a data URL, with what it encodes.',
  })
    .optional()
    .describe('Defaults to the format that the Accept header prefers, then to SVG.'),
  size: queryInteger(64, 2000, 512).describe('Width and height, in pixels; in points for a PDF.'),
  margin: queryInteger(0, 20, 4).describe('The quiet zone around the code, in modules. Scanners need 4.'),
  ecl: Ecl.default('M').describe('Error correction level: how much of the code may be damaged.'),
  dark: field.hexColor
    .optional()
    .describe(
      'The colour of the modules, as #RRGGBB. Defaults to #000000. It must be darker than `light`, with a contrast of at least 3 : 1; otherwise scanners fail.',
    ),
  light: z
    .union([field.hexColor, z.literal('transparent')], { error: 'Must be #RRGGBB or transparent' })
    .default('#ffffff')
    .describe('The background colour, as #RRGGBB, or `transparent` for print on a light surface.'),
  brand: queryBoolean()
    .default(false)
    .describe(
      'Whether `dark` defaults to the accent of your brand (`PATCH /organisation`), in a shade with a contrast of at least 4.5 : 1 to `light`.',
    ),
  size_mm: millimetres(5, 1000).meta({
    description: 'Width in millimetres, instead of `size`. A PNG has `dpi` pixels per inch, at most 2000 in all.',
    examples: ['30'],
  }),
  dpi: queryInteger(72, 1200, 300).describe('Pixels per inch of a PNG with `size_mm`.'),
  caption,
  caption_mm: millimetres(0.5, 100).meta({
    description:
      'The height of capital letters of the text beneath the code, in millimetres, with `size_mm`. Defaults to 3.6 % of the width.',
    examples: ['2.5'],
  }),
  logo: field.id
    .optional()
    .describe(
      'The ID of an image that you have uploaded (`POST /assets`), drawn in the middle of a QR code. It raises the error correction level to H, and the code is read before you get it.',
    ),
})
export type PictureQuery = z.output<typeof PictureQuery>

const PictureSymbol = choice({
  qr: 'A QR code.',
  datamatrix: 'A Data Matrix, which takes less space on a small package.',
})

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
  symbol: PictureSymbol.default('qr').describe('The kind of code.'),
  cpv: qualifier('22', 'A consumer product variant', '2A'),
  lot: qualifier('10', 'A lot', 'ABC123'),
  serial: qualifier('21', 'A serial number', '12345678'),
  text: queryBoolean()
    .default(true)
    .describe('Whether the GTIN, variant, lot and serial number are written beneath the code, for people to read.'),
  caption: caption.describe('A text beneath the code instead of the GTIN: 1 to 100 characters in Latin letters.'),
  size: queryInteger(64, 2000, 512).describe(
    'Width, in pixels; in points for a PDF. The text beneath the code adds to the height.',
  ),
  margin: queryInteger(0, 20, 4).describe(
    'The quiet zone around the code, in modules. Scanners need 4 around a QR code, 1 around a Data Matrix. The text keeps that distance at any margin.',
  ),
  ecl: PictureQuery.shape.ecl.describe(
    'Error correction level of a QR code: how much of it may be damaged. A Data Matrix always has the same.',
  ),
})
export type ProductPictureQuery = z.output<typeof ProductPictureQuery>

const imageFields = {
  format: z.literal('png'),
  size: z.int().meta({ description: 'The width of the PNG, in pixels.', examples: [512] }),
  height: z.int().meta({ description: 'The height of the PNG, in pixels.', examples: [512] }),
  text: z
    .string()
    .nullable()
    .meta({ description: 'The text beneath the code.', examples: [null] }),
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
    object: choice({ qr_code_image: 'A QR code.', data_matrix_image: 'A Data Matrix.' }),
    product_id: field.id,
    gtin: z.string().meta({ examples: ['09506000134352'] }),
    symbol: PictureSymbol,
    ...imageFields,
    height: imageFields.height.meta({ examples: [583] }),
    text: z
      .string()
      .nullable()
      .meta({
        description:
          'The text beneath the code: your caption, or the GTIN and the other parts, each with its AI in brackets.',
        examples: ['(01) 09506000134352 (10) ABC123'],
      }),
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

const WARNING =
  'The header `X-Waymark-Warning` says so if the code leads to localhost, because PUBLIC_URL is not set: do not print it.'

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
      description: `Ready for print: SVG and PDF are vector graphics. ${WARNING}`,
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
    description: `The GS1 Digital Link of the product as a QR code or Data Matrix, on your own domain if one is verified. With a lot and a serial number it identifies one lot or one item. Ready for print: SVG and PDF are vector graphics. ${WARNING}`,
    errors: ['unprocessable'],
    query: ProductPictureQuery,
    file: fileOf(ProductPicture),
  },
} as const
