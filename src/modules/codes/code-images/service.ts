import { createHash } from 'node:crypto'
import { FileResponse } from '../../../platform/contract/index.ts'
import { invalidQuery } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { BLACK, CONTRAST_MIN, contrast, parseHex, shade, toHex } from '../../../platform/look/index.ts'
import { isLoopbackUrl } from '../../../platform/text/loopback.ts'
import { slugify } from '../../../platform/text/slugify.ts'
import { getProfile } from '../../account/organisations/index.ts'
import type { PictureQuery } from './contract.ts'
import {
  type CaptionElements,
  drawCode,
  logoPlace,
  maxCapitalHeight,
  type PictureOptions,
  type PictureSymbol,
  PictureTooSmall,
  sizeIn,
  TextTooLong,
  TRANSPARENT,
  UnreadableCode,
  withoutGlyph,
} from './drawing/index.ts'
import type { Logo, Logos } from './logos.ts'

const MEDIA_TYPES = {
  svg: 'image/svg+xml',
  png: 'image/png',
  pdf: 'application/pdf',
  json: 'application/json; charset=utf-8',
} as const
type Format = keyof typeof MEDIA_TYPES

/** Part of the ETag. Raise it whenever the same arguments give a different image, so that caches drop the old one. */
const DRAWING_VERSION = 2

/** Below this, scanners fail in bad light. */
const SCAN_CONTRAST_MIN = 3

const PNG_SIZE = { min: 64, max: 2000 }
const CAPTION_WORD_MAX = 25

export interface ImageSource {
  /** The URL that the code encodes. */
  url: string
  /** The fields that identify the target in the JSON format. */
  owner: object
  /** Has no extension yet: the format decides it. */
  fileName: string
  /** Set for a target that has a choice. */
  symbol?: PictureSymbol
  /** The text beneath the code if the caller has none, in elements that are not broken. */
  text?: string[] | undefined
}

type ColouredQuery = PictureQuery & { dark: string }

interface ImageInput<Query> {
  params: { id: string }
  query: Query
  accept: string | undefined
}

/** Such as `front-door-aB3dE5gH`: the name for people, and what tells two codes of one name apart. */
export function codeFileName(name: string | null, id: string): string {
  const slug = name === null ? '' : slugify(name, '')
  return [...(slug === '' ? [] : [slug.slice(0, 60)]), id.replace(/[^\w.-]/g, '_')].join('-')
}

/** The handlers of `imageOperations`, for one kind of target. */
export const imageHandlers = <Query extends PictureQuery>(
  logos: Logos,
  getSource: (ctx: Context, ref: string, query: Query) => Promise<ImageSource>,
) => ({
  getImage: async (ctx: Context, { params, query: sent, accept }: ImageInput<Query>): Promise<FileResponse> => {
    const query = { ...sent, dark: sent.dark ?? (await defaultColour(ctx, sent)) }
    const format = query.format ?? negotiate(accept)
    requireReadableColours(query)
    requirePngSize(format, query)
    requireCaption(query)
    const source = await getSource(ctx, params.id, query)
    if (source.symbol === 'datamatrix' && query.logo !== undefined)
      throw invalidQuery({ logo: ['Must not be sent for a Data Matrix, which has no room for it'] })
    const { logo } = query
    return toImage(source, format, query, logo === undefined ? undefined : () => logos.read(ctx, logo))
  },
})

/** Black, unless the caller asks for the brand: what was printed must look the same when it is printed again. */
async function defaultColour({ read, orgId }: Context, { brand, light }: PictureQuery): Promise<string> {
  const colour = brand ? (await getProfile(read, orgId)).brand.primary_color : null
  return toHex(colour === null ? BLACK : shade(parseHex(colour), BLACK, [behind(light)], CONTRAST_MIN))
}

/** A transparent image is judged as if it were on white. */
const behind = (light: string) => parseHex(light === TRANSPARENT ? '#ffffff' : light)

/** A printed code can never be recalled. */
const warningOf = (url: string): Record<string, string> =>
  isLoopbackUrl(url) ? { 'x-waymark-warning': `encodes ${new URL(url).origin}; set PUBLIC_URL before you print` } : {}

function toImage(
  { url, owner, fileName, symbol, text }: ImageSource,
  format: Format,
  query: ColouredQuery,
  readLogo: (() => Promise<Logo>) | undefined,
): FileResponse {
  const { size, size_mm: sizeMm, dpi, margin, ecl, dark, light } = query
  const caption = withHeight(toCaption(query.caption, text), query)
  const options = { size, sizeMm, dpi, margin, ecl, dark, light, symbol, caption }
  const version = createHash('sha256')
    .update(JSON.stringify([DRAWING_VERSION, url, owner, format, options, query.logo]))
    .digest('base64url')
  return new FileResponse(
    MEDIA_TYPES[format],
    version,
    async () => {
      const logo = await readLogo?.()
      if (format !== 'json') return draw(url, format, options, logo)
      const png = await draw(url, 'png', options, logo)
      const isDataMatrix = symbol === 'datamatrix'
      return JSON.stringify({
        object: isDataMatrix ? 'data_matrix_image' : 'qr_code_image',
        ...owner,
        ...(symbol && { symbol }),
        format: 'png',
        size: png.readUInt32BE(16),
        height: png.readUInt32BE(20),
        text: caption?.elements.join(' ') ?? null,
        margin,
        ecl: isDataMatrix ? null : logo ? 'H' : ecl,
        encoded_url: url,
        data_url: `data:image/png;base64,${png.toString('base64')}`,
      })
    },
    { fileName: format === 'json' ? undefined : `${fileName}.${format}`, headers: warningOf(url) },
  )
}

function toCaption(caption: string | undefined, text: string[] | undefined): CaptionElements | undefined {
  if (caption !== undefined) return { elements: caption.split(' '), gap: ' ' }
  return text && { elements: text, gap: '  ' }
}

/** Adds the height of its letters to a caption. */
function withHeight(
  caption: CaptionElements | undefined,
  { caption_mm: letterMm, size_mm: sizeMm }: PictureQuery,
): CaptionElements | undefined {
  if (letterMm === undefined) return caption
  if (sizeMm === undefined) throw invalidQuery({ caption_mm: ['Must be sent together with size_mm'] })
  if (caption === undefined) throw invalidQuery({ caption_mm: ['Must be sent together with caption'] })
  const maxMm = Math.floor(sizeMm * maxCapitalHeight(caption.elements) * 10) / 10
  if (letterMm > maxMm)
    throw invalidQuery({ caption_mm: [`Must be at most ${maxMm}: otherwise the longest word is wider than the image`] })
  return { ...caption, capitalHeight: letterMm / sizeMm }
}

async function draw(
  url: string,
  format: Exclude<Format, 'json'>,
  options: PictureOptions,
  logo: Logo | undefined,
): Promise<Buffer> {
  try {
    const all = { ...options, logo }
    const image = drawCode(url, format, all)
    return logo && format === 'png'
      ? await logo.putOn(image, logoPlace(url, all), options.sizeMm && options.dpi)
      : image
  } catch (error) {
    if (error instanceof TextTooLong)
      throw invalidQuery({}, [`The URL has ${url.length} characters, too many for the largest symbol`])
    if (error instanceof UnreadableCode)
      throw invalidQuery({ logo: ['The code cannot be read with this logo. Use a simpler one'] })
    if (!(error instanceof PictureTooSmall)) throw error
    const least = `Must be at least ${error.minSize}`
    throw invalidQuery({
      size: [
        options.caption
          ? `${least} for this code with the text beneath it, or ${options.caption.gap === ' ' ? 'caption must be left out' : 'text must be false'}`
          : `${least} for this URL at this error correction level`,
      ],
    })
  }
}

/** A printed code cannot be recalled, so one that phones do not read is refused. */
function requireReadableColours({ dark, light }: ColouredQuery): void {
  const [modules, background] = [parseHex(dark), behind(light)]
  const ratio = contrast(modules, background)
  const isInverted = contrast(modules, BLACK) > contrast(background, BLACK)
  if (isInverted) throw invalidQuery({ dark: ['Must be darker than light: most scanners do not read inverted codes'] })
  if (ratio < SCAN_CONTRAST_MIN)
    throw invalidQuery({
      dark: [
        `Must have a contrast of at least ${SCAN_CONTRAST_MIN} : 1 with the background, but has ${ratio.toFixed(1)} : 1`,
      ],
    })
}

function requireCaption({ caption = '' }: PictureQuery): void {
  const [missing] = withoutGlyph(caption)
  if (missing !== undefined)
    throw invalidQuery({ caption: [`Must have only Latin letters, digits and usual signs, not ${missing}`] })
  if (caption.split(' ').some((word) => word.length > CAPTION_WORD_MAX))
    throw invalidQuery({ caption: [`Must not have a word of more than ${CAPTION_WORD_MAX} characters`] })
}

function requirePngSize(format: Format, { size_mm: sizeMm, dpi }: PictureQuery): void {
  if (sizeMm === undefined || (format !== 'png' && format !== 'json')) return
  const pixels = sizeIn('png', { sizeMm, dpi })
  if (pixels >= PNG_SIZE.min && pixels <= PNG_SIZE.max) return
  const problem = `Must be ${PNG_SIZE.min} to ${PNG_SIZE.max} pixels in a PNG, but is ${pixels} at ${dpi} dpi`
  throw invalidQuery({ size_mm: [pixels > PNG_SIZE.max ? `${problem}. Use SVG or PDF, or a lower dpi` : problem] })
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
