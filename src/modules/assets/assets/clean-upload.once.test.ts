import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness()
let acme: Tenant

beforeEach(async () => {
  acme = await harness.createTenant()
})

const EXIF = {
  IFD0: { Model: 'Phone 7' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 18/1' },
}
const drawing = () => sharp({ create: { width: 60, height: 40, channels: 3, background: { r: 20, g: 90, b: 30 } } })
const upload = (content: Uint8Array) => acme.post('/v1/assets?file_name=hall.jpg', content)
const download = async ({ url }: { url: string }): Promise<Buffer> =>
  Buffer.from(await (await fetch(harness.baseUrl + new URL(url).pathname)).arrayBuffer())

test.each(['jpeg', 'png', 'webp', 'avif'] as const)('a photo loses its metadata: %s', async (format) => {
  const photo = await drawing()
    .withExif(EXIF)
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
    .toFormat(format)
    .toBuffer()
  expect((await sharp(photo).metadata()).exif).toBeDefined()
  const { status, body } = await upload(photo)
  expect({ status, width: body.width, height: body.height }).toEqual({ status: 201, width: 60, height: 40 })
  const served = await download(body)
  const { exif, xmp, iptc, comments } = await sharp(served).metadata()
  expect([exif, xmp, iptc, comments]).toEqual([undefined, undefined, undefined, undefined])
  expect(served.length).toBe(body.size_bytes)
})

test('a photo is shown upright without the metadata that said how it was held', async () => {
  const photo = await drawing().withMetadata({ orientation: 6 }).jpeg().toBuffer()
  expect((await upload(photo)).body).toMatchObject({ width: 40, height: 60 })
})

test('the same photo again is the same asset', async () => {
  const photo = await drawing().withExif(EXIF).jpeg().toBuffer()
  const { body: first } = await upload(photo)
  expect(await upload(photo)).toMatchObject({ status: 200, body: { id: first.id } })
})

test('an image without metadata is stored byte for byte', async () => {
  const image = await drawing().jpeg({ quality: 97 }).toBuffer()
  expect(await download((await upload(image)).body)).toEqual(image)
})

test('an image with more pixels than a phone can show is refused, and leaves no file behind', async () => {
  const { status, body } = await upload(pngOf(40_000, 40_000))
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_payload' })
  expect(body.details.formErrors).toEqual([
    'The image has more than 52 million pixels, or too many frames. Make it smaller, then upload it',
  ])
  expect((await acme.get('/v1/assets')).body.data).toEqual([])
})

test('a damaged photo with metadata is refused, because it cannot be drawn without', async () => {
  const photo = await drawing().withExif(EXIF).jpeg().toBuffer()
  const { status, body } = await upload(photo.subarray(0, photo.length - 200))
  expect({ status, formErrors: body.details?.formErrors }).toEqual({
    status: 400,
    formErrors: ['The image is damaged. Save it again, then upload it'],
  })
})

/** The head of a PNG: its size is in the first chunk. */
function pngOf(width: number, height: number): Buffer {
  const content = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  content.writeUInt32BE(width, 16)
  content.writeUInt32BE(height, 20)
  return content
}
