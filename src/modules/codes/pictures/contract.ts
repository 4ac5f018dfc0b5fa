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

/** The JSON format of an image. `owner` has the fields that identify the target. */
const imageJson = <Owner extends z.core.$ZodLooseShape>(id: string, owner: Owner) =>
  z
    .object({
      object: z.literal('qr_code_image'),
      ...owner,
      format: z.literal('png'),
      size: z.int().meta({ examples: [512] }),
      margin: z.int().meta({ examples: [4] }),
      ecl: Ecl,
      encoded_url: z
        .string()
        .meta({ description: 'The URL in the QR code.', examples: ['https://go.acme.com/aB3dE5gH'] }),
      data_url: z
        .string()
        .meta({ description: 'The PNG as a data URL.', examples: ['data:image/png;base64,iVBORw0KGgo='] }),
    })
    .meta({ id, description: 'A QR code image as a data URL that you can embed in a page.' })

export const QrCodePicture = imageJson('QrCodePicture', { qr_code_id: field.id, public_slug: PublicSlug })
export const ObjectPicture = imageJson('ObjectPicture', { object_id: field.id, public_slug: PublicSlug })
export const ProductPicture = imageJson('ProductPicture', {
  product_id: field.id,
  gtin: z.string().meta({ examples: ['09506000134352'] }),
})

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
      file: { 'image/svg+xml': null, 'image/png': null, 'application/pdf': null, 'application/json': json },
    },
  }) as const
