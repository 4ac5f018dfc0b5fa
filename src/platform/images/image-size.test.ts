import sharp from 'sharp'
import { expect, test } from 'vitest'
import { imageSizeOf } from './image-size.ts'

const picture = () => sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })

test.each([
  ['png', () => picture().png()],
  ['jpeg', () => picture().jpeg()],
  ['gif', () => picture().gif()],
  ['webp', () => picture().webp()],
  ['webp', () => picture().webp({ lossless: true })],
  [
    'webp',
    () =>
      picture()
        .withExif({ IFD0: { Artist: 'Acme' } })
        .webp(),
  ],
  ['avif', () => picture().avif({ effort: 0 })],
])('reads the size of %s', async (_, draw) => {
  const bytes = await draw().toBuffer()
  expect(imageSizeOf(bytes)).toEqual({ width: 30, height: 20 })
  for (let end = 0; end < Math.min(bytes.length, 200); end += 3) {
    expect([undefined, 30]).toContain(imageSizeOf(bytes.subarray(0, end))?.width)
  }
})

test('a photo on its side has the size that browsers show', async () => {
  expect(imageSizeOf(await picture().jpeg().withMetadata({ orientation: 6 }).toBuffer())).toEqual({
    width: 20,
    height: 30,
  })
  expect(imageSizeOf(await picture().jpeg().withMetadata({ orientation: 3 }).toBuffer())).toEqual({
    width: 30,
    height: 20,
  })
})

test('an icon has up to 256 pixels, and other files have no size', () => {
  expect(imageSizeOf(Buffer.from([0, 0, 1, 0, 1, 0, 0, 48]))).toEqual({ width: 256, height: 48 })
  for (const other of ['%PDF-1.7', '', 'GIF8', '\xff\xd8\xff'])
    expect(imageSizeOf(Buffer.from(other, 'latin1'))).toBeUndefined()
})
