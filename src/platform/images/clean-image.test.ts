import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { createMetrics } from '../telemetry/metrics.ts'
import { type CleanImage, ImageCleaner, ImageTooLarge, UnreadableImage } from './index.ts'

const images = new ImageCleaner(createMetrics())
const clean = (source: string | Buffer): Promise<CleanImage> => images.clean('an organisation', source)

const GPS = {
  IFD0: { Make: 'Acme', Model: 'Phone 7', Copyright: 'owner@acme.example' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 18/1' },
}

const drawing = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } })

let photo: Buffer
beforeAll(async () => {
  photo = await drawing().withExif(GPS).withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>').jpeg().toBuffer()
})

test('a photo loses its location, its camera and everything else that is not the picture', async () => {
  const before = await sharp(photo).metadata()
  expect([before.exif, before.xmp]).not.toContain(undefined)
  expect(photo.includes('Phone 7')).toBe(true)
  const { bytes, mediaType, extension, width, height } = await clean(photo)
  const { exif, xmp, icc, iptc, comments } = await sharp(bytes).metadata()
  expect([exif, xmp, icc, iptc, comments]).toEqual([undefined, undefined, undefined, undefined, undefined])
  for (const secret of ['Phone 7', 'Acme', 'GPS', 'Exif', 'adobe']) expect(bytes.includes(secret)).toBe(false)
  expect({ mediaType, extension, width, height }).toEqual({
    mediaType: 'image/jpeg',
    extension: 'jpg',
    width: 60,
    height: 40,
  })
})

test.each(['png', 'webp', 'gif'] as const)('%s keeps its format, without metadata', async (format) => {
  const source = await drawing().withExif(GPS).toFormat(format).toBuffer()
  const { bytes, mediaType } = await clean(source)
  expect(mediaType).toBe(`image/${format}`)
  expect((await sharp(bytes).metadata()).exif).toBeUndefined()
  expect(bytes.includes('Phone 7')).toBe(false)
})

test('AVIF becomes JPEG, or PNG if it is transparent', async () => {
  const avif = await drawing().withExif(GPS).avif({ effort: 0 }).toBuffer()
  const { bytes, mediaType } = await clean(avif)
  expect(mediaType).toBe('image/jpeg')
  expect(bytes.includes('Phone 7')).toBe(false)
  const transparent = await sharp({
    create: { width: 8, height: 8, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.5 } },
  })
    .avif({ effort: 0 })
    .toBuffer()
  expect((await clean(transparent)).mediaType).toBe('image/png')
})

test('a photo is turned as its camera was held', async () => {
  const turned = await sharp(photo).withMetadata({ orientation: 6 }).toBuffer()
  const { bytes, width, height } = await clean(turned)
  expect([width, height]).toEqual([40, 60])
  expect((await sharp(bytes).metadata()).orientation).toBeUndefined()
})

test('a large photo is made smaller, and a small one stays as it is', async () => {
  const { width, height } = await clean(await drawing(6000, 3000).jpeg().toBuffer())
  expect([width, height]).toEqual([4096, 2048])
})

async function frames(count: number, side: number) {
  const draw = (n: number) =>
    sharp({
      create: {
        width: side,
        height: side,
        channels: 3,
        background: { r: (n * 50) % 256, g: 255 - ((n * 40) % 256), b: n },
      },
    })
  const drawn = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      draw(n % 200)
        .png()
        .toBuffer(),
    ),
  )
  return sharp(drawn, { join: { animated: true } })
}

test('an animation keeps its frames, within limits', async () => {
  const { bytes, width, height } = await clean(
    await (await frames(5, 20)).gif({ keepDuplicateFrames: true }).toBuffer(),
  )
  expect((await sharp(bytes).metadata()).pages).toBe(5)
  expect([width, height]).toEqual([20, 20])
  expect((await sharp((await clean(await (await frames(5, 20)).webp().toBuffer())).bytes).metadata()).pages).toBe(5)
  const long = await (await frames(250, 20)).gif({ keepDuplicateFrames: true }).toBuffer()
  await expect(clean(long)).rejects.toThrow(ImageTooLarge)
  const large = await (await frames(10, 1400)).gif({ keepDuplicateFrames: true }).toBuffer()
  await expect(clean(large)).rejects.toThrow(ImageTooLarge)
})

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(4)
  frame.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([frame, body, sum])
}

/** One bit a pixel: 50,000 × 50,000 of them are 300 MB, and much less in the file. */
function pngBomb(side: number, rows: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  const data = deflateSync(Buffer.alloc((1 + Math.ceil(side / 8)) * rows))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const end = pngChunk('IEND', Buffer.alloc(0))
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', data), end])
}

test('a decompression bomb is refused before it is decoded', async () => {
  const before = process.memoryUsage().rss
  await expect(clean(pngBomb(50_000, 50_000))).rejects.toThrow(ImageTooLarge)
  expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1024 * 1024)
})

test('files that are damaged or no image are refused', async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
  )
  const tiff = await drawing().tiff().toBuffer()
  const cut = await sharp(Buffer.from(Array.from({ length: 120_000 }, (_, n) => (n * 7919) % 256)), {
    raw: { width: 200, height: 200, channels: 3 },
  })
    .png()
    .toBuffer()
  const hostile = {
    empty: Buffer.alloc(0),
    text: Buffer.from('not an image'),
    'a page': Buffer.from('<!doctype html><script>alert(1)</script>'),
    svg,
    'compressed svg': gzipSync(svg),
    tiff,
    'only a header': photo.subarray(0, 20),
    'half a PNG': cut.subarray(0, cut.length / 2),
    'PNG with too few rows': pngBomb(1000, 10),
    pdf: Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj<</Type/Catalog>>endobj'),
    'a path that does not exist': '/nonexistent/photo.jpg',
  }
  for (const [name, file] of Object.entries(hostile)) await expect(clean(file), name).rejects.toThrow(UnreadableImage)
})

test('what is hidden behind or inside an image is not in the clean one', async () => {
  const script = '<script>alert(document.domain)</script>'
  const polyglot = Buffer.concat([photo, Buffer.from(`PK\x03\x04${script}`)])
  const inComment = Buffer.concat([
    photo.subarray(0, 2),
    Buffer.from([0xff, 0xfe, 0, 2 + script.length]),
    Buffer.from(script),
    photo.subarray(2),
  ])
  for (const file of [polyglot, inComment]) expect((await clean(file)).bytes.includes('script')).toBe(false)
})

test('one organisation with many images does not keep another from its turn', async () => {
  const large = await drawing(4000, 3000).jpeg().toBuffer()
  const order: string[] = []
  const many = Array.from({ length: 8 }, () => images.clean('busy', large).then(() => order.push('busy')))
  const one = images.clean('other', photo).then(() => order.push('other'))
  await Promise.all([...many, one])
  expect(order.indexOf('other')).toBeLessThan(3)
})
