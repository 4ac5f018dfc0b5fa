import { z } from 'zod'
import { field, queryInteger } from '../../../platform/contract/index.ts'
import { PublicSlug } from '../scan-targets/contract.ts'

const Ecl = z.enum(['L', 'M', 'Q', 'H'])

export const PictureQuery = z.strictObject({
  format: z
    .enum(['svg', 'png', 'pdf', 'json'])
    .optional()
    .describe('Left out, the Accept header decides; without a wish it is svg.'),
  size: queryInteger(64, 2000, 512).describe('Width and height: pixels of a PNG, points of a PDF.'),
  margin: queryInteger(0, 20, 4).describe('The quiet zone around the code, in modules. Scanners want 4.'),
  ecl: Ecl.default('M').describe('Error correction: how much may be lost. L 7 %, M 15 %, Q 25 %, H 30 %.'),
  dark: field.hexColor.default('#000000').describe('The colour of the modules, as #RRGGBB.'),
  light: field.hexColor.default('#ffffff').describe('The colour behind them, as #RRGGBB.'),
})
export type PictureQuery = z.output<typeof PictureQuery>

/** `owner` has the fields that name whose picture it is. */
const picture = <Owner extends z.core.$ZodLooseShape>(id: string, owner: Owner) =>
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
        .meta({ description: 'What a scanner reads.', examples: ['https://go.acme.com/aB3dE5gH'] }),
      data_url: z.string().meta({ description: 'The PNG itself.', examples: ['data:image/png;base64,iVBORw0KGgo='] }),
    })
    .meta({ id, description: 'A picture of a QR code, to be put straight into a page.' })

export const QrCodePicture = picture('QrCodePicture', { qr_code_id: field.id, public_slug: PublicSlug })
export const ObjectPicture = picture('ObjectPicture', { object_id: field.id, public_slug: PublicSlug })
export const ProductPicture = picture('ProductPicture', {
  product_id: field.id,
  gtin: z.string().meta({ examples: ['09506000134352'] }),
})

/** The picture of something that is scanned. */
export const pictureOperations = <Base extends `/${string}`, Params extends object>(
  base: Base,
  owner: string,
  json: z.ZodObject,
  params: Params,
) =>
  ({
    getImage: {
      method: 'GET',
      path: `${base}/{id}/image`,
      summary: `Get the QR picture of ${owner}`,
      description: 'Ready for print: SVG and PDF are true vectors.',
      ...params,
      query: PictureQuery,
      file: { 'image/svg+xml': null, 'image/png': null, 'application/pdf': null, 'application/json': json },
    },
  }) as const
