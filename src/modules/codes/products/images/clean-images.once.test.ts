/** Images of products are public, so they are cleaned like uploads. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import { IMAGES, startImageHost } from '../testing/image-host.ts'

const EXIF = {
  IFD0: { Model: 'Phone 7' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 18/1' },
}
const drawing = sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
const photo = await drawing.clone().withExif(EXIF).jpeg().toBuffer()
const frames = await Promise.all(
  ['teal', 'red'].map((background) =>
    sharp({ create: { width: 8, height: 8, channels: 3, background } })
      .png()
      .toBuffer(),
  ),
)
const animation = sharp(frames, { join: { animated: true } })

/** The size is in the first chunk. */
const huge = Buffer.from(IMAGES.png)
huge.writeUInt32BE(40_000, 16)
huge.writeUInt32BE(40_000, 20)

const host = await startImageHost('', {
  '/photo.jpg': photo,
  '/moving.webp': await animation.clone().withExif(EXIF).webp().toBuffer(),
  '/moving.gif': await animation.clone().gif().toBuffer(),
  '/huge.png': huge,
  '/damaged.jpg': photo.subarray(0, photo.length - 200),
})
const harness = useHarness({ config: { outbound: { ports: [443], devAllow: [host.address], dnsServers: [] } } })
let acme: Tenant

beforeEach(async () => {
  acme = await harness.createTenant()
})
afterAll(() => host.close())

const filesOf = async () => (await readdir(join(harness.folder, 'assets')).catch(() => [])).sort()
const add = (id: string, path: string) => acme.post(`/v1/products/${id}/images`, { url: host.url(path) })
const createProduct = async (): Promise<string> => (await acme.post('/v1/products', { name: 'Chair' })).body.id
const download = async ({ file_url }: { file_url: string }): Promise<Buffer> =>
  Buffer.from(await (await fetch(harness.baseUrl + new URL(file_url).pathname)).arrayBuffer())

test('a photo loses its metadata, also when it comes with a new product', async () => {
  const image_urls = [host.url('/photo.jpg')]
  const { body: product } = await acme.post('/v1/products', { name: 'Chair', image_urls })
  expect(product.failed_image_urls).toEqual([])
  const { body: added } = await add(product.id, '/photo.jpg')
  const { body: images } = await acme.get(`/v1/products/${product.id}/images`)
  expect(images.data).toHaveLength(2)
  for (const image of images.data) {
    const served = await download(image)
    const { exif, width, height } = await sharp(served).metadata()
    expect({ exif, width, height }).toEqual({ exif: undefined, width: 60, height: 40 })
    expect(image).toMatchObject({ file_name: 'photo.jpg', media_type: 'image/jpeg', size_bytes: served.length })
    // The same photo is stored once.
    expect(image.file_url).toBe(added.file_url)
  }
  expect(await filesOf()).toHaveLength(1)
})

test('an animation keeps its frames, and without metadata it is stored as it is', async () => {
  const id = await createProduct()
  const { body: webp } = await add(id, '/moving.webp')
  const { exif, pages } = await sharp(await download(webp)).metadata()
  expect({ exif, pages }).toEqual({ exif: undefined, pages: 2 })
  const { body: gif } = await add(id, '/moving.gif')
  expect(await download(gif)).toEqual(await animation.clone().gif().toBuffer())
})

test.each([
  ['/huge.png', 'too_many_pixels', 'The image has more than 52 million pixels, or too many frames'],
  ['/damaged.jpg', 'damaged', 'The image is damaged'],
])('%s is refused, leaves no file behind, and does not prevent the product', async (path, reason, message) => {
  const files = await filesOf()
  const { status, body } = await add(await createProduct(), path)
  expect({ status, message: body.message, details: body.details }).toEqual({
    status: 422,
    message: `url: ${message}.`,
    details: { field: 'url', reason },
  })
  const url = host.url(path)
  const created = await acme.post('/v1/products', { name: 'Chair', image_urls: [url] })
  expect(created).toMatchObject({ status: 201, body: { failed_image_urls: [url] } })
  expect(await filesOf()).toEqual(files)
})
