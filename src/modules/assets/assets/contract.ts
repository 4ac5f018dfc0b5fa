import { z } from 'zod'
import { choice, cursorQuery, field, operations } from '../../../platform/contract/index.ts'

export const UPLOAD_BYTES_MAX = 15 * 1024 * 1024
const FILE_NAME_LENGTH_MAX = 255

/** What can be uploaded. No SVG: it can contain scripts. */
export const MediaType = choice({
  'image/jpeg': 'A JPEG image.',
  'image/png': 'A PNG image.',
  'image/webp': 'A WebP image.',
  'image/gif': 'A GIF image.',
  'image/avif': 'An AVIF image.',
  'image/x-icon': 'An icon (ICO).',
  'application/pdf': 'A PDF document.',
  'video/mp4': 'An MP4 video.',
  'video/webm': 'A WebM video.',
  'audio/mpeg': 'An MP3 recording.',
})
export type MediaType = z.infer<typeof MediaType>

/** Null for files that are no images. */
const side = z
  .int()
  .nullable()
  .meta({ examples: [1200] })

export const Asset = z
  .object({
    object: z.literal('asset'),
    id: field.id,
    url: z.string().meta({
      format: 'uri',
      description: 'Public URL of the file. No credential is needed.',
      examples: [
        'https://go.acme.com/assets/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08-x3Kf90Qa.jpg',
      ],
    }),
    file_name: z.string().meta({ description: 'The name that was sent. Only displayed.', examples: ['oak-chair.jpg'] }),
    media_type: MediaType,
    size_bytes: z.int().meta({ examples: [48213] }),
    width: side.describe('The width of an image in pixels, as it is shown.'),
    height: side.describe('The height of an image in pixels, as it is shown.'),
    is_referenced: z
      .boolean()
      .describe('Whether something uses the file. A file that nothing uses for a day is deleted.'),
    created_at: field.timestamp,
  })
  .meta({ id: 'Asset', description: 'A stored file that pages, articles, products and logos can use.' })
export type Asset = z.infer<typeof Asset>

/** The smallest GIF. What follows its end makes each one different. */
const GIF = 'R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='

export const assets = operations(
  {
    name: 'assets',
    title: 'Assets',
    about:
      'Files that your pages, articles, products and logos use. Upload a file, then use its `url`. A file that nothing uses is deleted a day later.',
    area: 'pages',
  },
  {
    list: {
      method: 'GET',
      path: '/assets',
      summary: 'List assets',
      description: 'Newest first.',
      query: cursorQuery({}),
      cursor: Asset,
    },
    create: {
      method: 'POST',
      path: '/assets',
      summary: 'Upload a file',
      description:
        'The body is the file itself. Its content decides about its type: JPEG, PNG, WebP, GIF, AVIF, ICO, PDF, MP4, WebM or MP3. A photo with metadata, such as the place where it was taken, is drawn anew without it, at most 4,096 pixels wide and high. Images have at most 52 million pixels. If your organisation has stored the same content before, the response is 200 with the existing asset.',
      query: z.strictObject({
        file_name: field.text(1, FILE_NAME_LENGTH_MAX).optional().describe('The name to display.'),
      }),
      upload: {
        bytesMax: UPLOAD_BYTES_MAX,
        mediaTypes: MediaType.options,
        example: (n) => Buffer.concat([Buffer.from(GIF, 'base64'), Buffer.from(String(n))]),
      },
      ok: Asset,
      created: Asset,
      errors: ['unprocessable'],
    },
    get: { method: 'GET', path: '/assets/{id}', summary: 'Get an asset', ok: Asset },
    delete: {
      method: 'DELETE',
      path: '/assets/{id}',
      summary: 'Delete an asset',
      description: 'Returns 409 with `details.reason` set to `in_use` while something uses the file.',
      errors: ['conflict'],
    },
  },
)
