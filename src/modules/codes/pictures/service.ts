import { createHash } from 'node:crypto'
import { FileResponse } from '../../../platform/contract/index.ts'
import { invalidQuery } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { PictureQuery } from './contract.ts'
import { drawCode, type PictureOptions, type PictureSymbol, PictureTooSmall, TextTooLong } from './drawing/index.ts'

const MEDIA_TYPES = {
  svg: 'image/svg+xml',
  png: 'image/png',
  pdf: 'application/pdf',
  json: 'application/json; charset=utf-8',
} as const
type Format = keyof typeof MEDIA_TYPES

/** Part of the ETag. Raise it whenever the same arguments give a different image, so that caches drop the old one. */
const DRAWING_VERSION = 1

export interface ImageSource {
  /** The URL that the code encodes. */
  url: string
  /** The fields that identify the target in the JSON format. */
  owner: object
  /** Of a target that has a choice. */
  symbol?: PictureSymbol
  /** The text beneath the code, in elements that are not broken. */
  caption?: string[] | undefined
}

interface ImageInput<Query> {
  params: { id: string }
  query: Query
  accept: string | undefined
}

/** The handlers of `imageOperations`, for one kind of target. */
export const imageHandlers = <Query extends PictureQuery>(
  getSource: (ctx: Context, ref: string, query: Query) => Promise<ImageSource>,
) => ({
  getImage: async (ctx: Context, { params, query, accept }: ImageInput<Query>): Promise<FileResponse> =>
    toImage(await getSource(ctx, params.id, query), query, accept),
})

function toImage({ url, owner, symbol, caption }: ImageSource, query: PictureQuery, accept?: string): FileResponse {
  const { size, margin, ecl, dark, light } = query
  const options = { size, margin, ecl, dark, light, symbol, caption }
  const format = query.format ?? negotiate(accept)
  const version = createHash('sha256')
    .update(JSON.stringify([DRAWING_VERSION, url, owner, format, options]))
    .digest('base64url')
  return new FileResponse(MEDIA_TYPES[format], version, () => {
    if (format !== 'json') return draw(url, format, options)
    const png = draw(url, 'png', options)
    const isDataMatrix = symbol === 'datamatrix'
    return JSON.stringify({
      object: isDataMatrix ? 'data_matrix_image' : 'qr_code_image',
      ...owner,
      ...(symbol && { symbol, text: caption?.join(' ') ?? null, height: heightOf(png) }),
      format: 'png',
      size,
      margin,
      ecl: isDataMatrix ? null : ecl,
      encoded_url: url,
      data_url: `data:image/png;base64,${png.toString('base64')}`,
    })
  })
}

const heightOf = (png: Buffer): number => png.readUInt32BE(20)

function draw(url: string, format: Exclude<Format, 'json'>, options: PictureOptions): Buffer {
  try {
    return drawCode(url, format, options)
  } catch (error) {
    if (error instanceof TextTooLong)
      throw invalidQuery({}, [`The URL has ${url.length} characters, too many for the largest symbol`])
    if (!(error instanceof PictureTooSmall)) throw error
    const least = `Must be at least ${error.minSize}`
    throw invalidQuery({
      size: [
        options.caption
          ? `${least} for this code with the text beneath it, or text must be false`
          : `${least} for this URL at this error correction level`,
      ],
    })
  }
}

/** Returns the format with the highest quality value in the Accept header; SVG when the header names none of ours. */
function negotiate(accept = ''): Format {
  let best: { format: Format; quality: number } = { format: 'svg', quality: 0 }
  for (const range of accept.toLowerCase().split(',', 20)) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    const format = (Object.keys(MEDIA_TYPES) as Format[]).find((name) => MEDIA_TYPES[name].split(';')[0] === type)
    if (format !== undefined && quality > best.quality) best = { format, quality }
  }
  return best.format
}
