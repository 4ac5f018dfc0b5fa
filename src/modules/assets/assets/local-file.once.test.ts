/** Files of an import of articles are public, so photos among them are cleaned like uploads. */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { articleFile, NOTHING, useArticleFolders } from '../../../testing/data/article-folder.ts'
import { SAMPLES } from './testing/sample-files.ts'

const { harness, openBase } = useArticleFolders()

const EXIF = {
  IFD0: { Model: 'Phone 7' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 18/1' },
}
const drawing = (background = 'teal') => sharp({ create: { width: 60, height: 40, channels: 3, background } })
const download = async (path: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(harness.baseUrl + path)).arrayBuffer())
const showing = (...names: string[]) => articleFile('title: Oiling', names.map((name) => `![](${name})`).join('\n'))
const shownBy = ({ content }: { content: string }): string[] =>
  [...content.matchAll(/\]\(([^)]*)\)/g)].map(([, path = '']) => path)

test.each(['jpeg', 'png', 'webp'] as const)('a photo loses its metadata, and is known again: %s', async (format) => {
  const { put, bringIn, find } = await openBase()
  const plain = await drawing('red').toFormat(format).toBuffer()
  await put({
    'oiling.md': showing(`photo.${format}`, `plain.${format}`),
    [`photo.${format}`]: await drawing().withExif(EXIF).toFormat(format).toBuffer(),
    [`plain.${format}`]: plain,
  })
  expect(await bringIn()).toMatchObject({ created: 1, files: { created: 2, unchanged: 0 }, warnings: [] })
  const [photo = '', same = ''] = shownBy(await find('oiling'))
  const { exif, width, height } = await sharp(await download(photo)).metadata()
  expect({ exif, width, height }).toEqual({ exif: undefined, width: 60, height: 40 })
  expect(await download(same), 'without metadata').toEqual(plain)
  const again = await bringIn()
  expect(again).toMatchObject({ ...NOTHING, unchanged: 1, files: { created: 0, unchanged: 2 } })
  expect(shownBy(await find('oiling'))).toEqual([photo, same])
})

test('an image with too many pixels and a damaged photo are problems of their own, and nothing else is held up', async () => {
  const { acme, put, bringIn } = await openBase()
  const huge = Buffer.from(SAMPLES.png.content)
  huge.writeUInt32BE(40_000, 16)
  huge.writeUInt32BE(40_000, 20)
  const photo = await drawing().withExif(EXIF).jpeg().toBuffer()
  await put({
    'oiling.md': showing('huge.png', 'damaged.jpg', 'photo.jpg'),
    'huge.png': huge,
    'damaged.jpg': photo.subarray(0, photo.length - 200),
    'photo.jpg': photo,
  })
  const { files, warnings } = await bringIn()
  expect(files).toEqual({ created: 1, unchanged: 0 })
  expect(warnings.map(({ message }) => message)).toEqual([
    'huge.png has too many pixels or frames. It was not imported.',
    'damaged.jpg is damaged. It was not imported.',
  ])
  expect((await acme.get('/v1/assets')).body.data).toHaveLength(1)
})
