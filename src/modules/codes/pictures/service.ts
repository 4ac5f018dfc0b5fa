import { createHash } from 'node:crypto'
import { FileAnswer } from '../../../platform/contract/index.ts'
import { invalidQuery } from '../../../platform/errors/index.ts'
import type { PictureQuery } from './contract.ts'
import { drawCode, type PictureOptions, PictureTooSmall } from './drawing/index.ts'

const MEDIA_TYPES = {
  svg: 'image/svg+xml',
  png: 'image/png',
  pdf: 'application/pdf',
  json: 'application/json; charset=utf-8',
} as const
type Format = keyof typeof MEDIA_TYPES

/** Raised whenever the same arguments give another picture, so that nobody keeps the old one. */
const DRAWING = 1

/** The picture of an address. `owner` are the fields that say in JSON whose it is. */
export function toPicture(
  address: string,
  owner: object,
  { format: wanted, ...options }: PictureQuery,
  accept: string | undefined,
): FileAnswer {
  const format = wanted ?? negotiate(accept)
  const version = createHash('sha256')
    .update(JSON.stringify([DRAWING, address, owner, format, options]))
    .digest('base64url')
  return new FileAnswer(MEDIA_TYPES[format], version, () => {
    if (format !== 'json') return draw(address, format, options)
    const data_url = `data:image/png;base64,${draw(address, 'png', options).toString('base64')}`
    const { size, margin, ecl } = options
    const object = 'qr_code_image'
    return JSON.stringify({ object, ...owner, format: 'png', size, margin, ecl, encoded_url: address, data_url })
  })
}

function draw(address: string, format: Exclude<Format, 'json'>, options: PictureOptions): Buffer {
  try {
    return drawCode(address, format, options)
  } catch (error) {
    if (!(error instanceof PictureTooSmall)) throw error
    throw invalidQuery({ size: [`Must be at least ${error.minSize} for this address at this error correction`] })
  }
}

/** What the caller likes best of what there is; svg when they do not say, or like nothing of it. */
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
