import { expect, test } from 'vitest'
import { imageType } from './image-type.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const PNG = latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01')
const WEBP = latin1('RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0')

test.each([
  ['image/jpeg', 'jpg', latin1('\xff\xd8\xff\xe0\0\x10JFIF\0')],
  ['image/jpeg', 'jpg', latin1('\xff\xd8\xff\xe1\0\x10Exif\0')],
  ['image/png', 'png', PNG],
  ['image/gif', 'gif', latin1('GIF87a\x01\0\x01\0')],
  ['image/gif', 'gif', latin1('GIF89a\x01\0\x01\0')],
  ['image/webp', 'webp', WEBP],
  ['image/webp', 'webp', latin1('RIFF\x24\0\0\0WEBPVP8L\x18\0\0\0')],
  ['image/webp', 'webp', latin1('RIFF\x24\0\0\0WEBPVP8X\x18\0\0\0')],
])('an image is told by its content: %s', (mediaType, extension, bytes) => {
  expect(imageType(bytes)).toEqual({ mediaType, extension })
})

test.each([
  ['nothing', ''],
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['HTML', '<!doctype html><img src="image.png">'],
  ['HTML before an image', `<html>${PNG.toString('latin1')}`],
  ['a space before an image', ` ${PNG.toString('latin1')}`],
  ['sound in RIFF', 'RIFF\x24\0\0\0WAVEfmt \x10\0\0\0'],
  ['film in RIFF', 'RIFF\x24\0\0\0AVI LIST\x10\0\0\0'],
  ['sound in RIFF that names WebP later', 'RIFF\x24\0\0\0WAVEWEBPVP8 '],
  ['WebP without a picture', 'RIFF\x24\0\0\0WEBPEXIF\x10\0\0\0'],
  ['a PNG with line ends changed', '\x89PNG\n\x1a\n\0\0\0\rIHDR'],
  ['a PNG that begins with another chunk', '\x89PNG\r\n\x1a\n\0\0\0\x04CgBI'],
  ['another GIF', 'GIF90a\x01\0\x01\0'],
  ['the word GIF', 'GIF image'],
  ['a BMP', 'BM\x3a\0\0\0'],
  ['a TIFF', 'II*\0\x08\0\0\0'],
  ['a PDF', '%PDF-1.7'],
  ['an AVIF', '\0\0\0\x1cftypavif'],
])('%s is not an image of ours', (_what, text) => {
  expect(imageType(latin1(text))).toBeUndefined()
})

test.each([
  ['JPEG', latin1('\xff\xd8\xff')],
  ['PNG', PNG.subarray(0, 16)],
  ['GIF', latin1('GIF89a')],
  ['WebP', WEBP.subarray(0, 16)],
])('a %s that breaks off before it can be told is none, at every length', (_what, signature) => {
  for (let length = 0; length < signature.length; length++) {
    expect(imageType(signature.subarray(0, length))).toBeUndefined()
  }
  expect(imageType(signature)).toBeDefined()
})
