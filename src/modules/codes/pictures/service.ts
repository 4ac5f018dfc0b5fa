import { createHash } from 'node:crypto'
import { FileResponse } from '../../../platform/contract/index.ts'
import { invalidQuery } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { PictureQuery } from './contract.ts'
import { drawCode, type PictureOptions, PictureTooSmall } from './drawing/index.ts'

const MEDIA_TYPES = {
  svg: 'image/svg+xml',
  png: 'image/png',
  pdf: 'application/pdf',
  json: 'application/json; charset=utf-8',
} as const
type Format = keyof typeof MEDIA_TYPES

/** Part of the ETag. Raise it whenever the same arguments give a different image, so that caches drop the old one. */
const DRAWING_VERSION = 1

interface ImageSource {
  /** The URL that the QR code encodes. */
  url: string
  /** The fields that identify the target in the JSON format. */
  owner: object
}

interface ImageInput {
  params: { id: string }
  query: PictureQuery
  accept: string | undefined
}

/** The handlers of `imageOperations`, for one kind of target. */
export const imageHandlers = (getSource: (ctx: Context, ref: string) => Promise<ImageSource>) => ({
  getImage: async (ctx: Context, { params, query, accept }: ImageInput): Promise<FileResponse> =>
    toImage(await getSource(ctx, params.id), query, accept),
})

function toImage(
  { url, owner }: ImageSource,
  { format: sent, ...options }: PictureQuery,
  accept: string | undefined,
): FileResponse {
  const format = sent ?? negotiate(accept)
  const version = createHash('sha256')
    .update(JSON.stringify([DRAWING_VERSION, url, owner, format, options]))
    .digest('base64url')
  return new FileResponse(MEDIA_TYPES[format], version, () => {
    if (format !== 'json') return draw(url, format, options)
    const data_url = `data:image/png;base64,${draw(url, 'png', options).toString('base64')}`
    const { size, margin, ecl } = options
    const object = 'qr_code_image'
    return JSON.stringify({ object, ...owner, format: 'png', size, margin, ecl, encoded_url: url, data_url })
  })
}

function draw(url: string, format: Exclude<Format, 'json'>, options: PictureOptions): Buffer {
  try {
    return drawCode(url, format, options)
  } catch (error) {
    if (!(error instanceof PictureTooSmall)) throw error
    throw invalidQuery({ size: [`Must be at least ${error.minSize} for this URL at this error correction level`] })
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
