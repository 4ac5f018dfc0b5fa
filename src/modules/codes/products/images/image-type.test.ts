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
])('recognises %s by its content', (mediaType, extension, bytes) => {
  expect(imageType(bytes)).toEqual({ mediaType, extension })
})

test.each([
  ['an empty file', ''],
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['HTML', '<!doctype html><img src="image.png">'],
  ['HTML before an image', `<html>${PNG.toString('latin1')}`],
  ['a space before an image', ` ${PNG.toString('latin1')}`],
  ['RIFF audio', 'RIFF\x24\0\0\0WAVEfmt \x10\0\0\0'],
  ['RIFF video', 'RIFF\x24\0\0\0AVI LIST\x10\0\0\0'],
  ['RIFF audio that contains WEBP later', 'RIFF\x24\0\0\0WAVEWEBPVP8 '],
  ['WebP without image data', 'RIFF\x24\0\0\0WEBPEXIF\x10\0\0\0'],
  ['a PNG with line ends changed', '\x89PNG\n\x1a\n\0\0\0\rIHDR'],
  ['a PNG that starts with another chunk', '\x89PNG\r\n\x1a\n\0\0\0\x04CgBI'],
  ['an unknown GIF version', 'GIF90a\x01\0\x01\0'],
  ['the word GIF', 'GIF image'],
  ['a BMP', 'BM\x3a\0\0\0'],
  ['a TIFF', 'II*\0\x08\0\0\0'],
  ['a PDF', '%PDF-1.7'],
  ['an AVIF', '\0\0\0\x1cftypavif'],
])('does not accept %s', (_name, text) => {
  expect(imageType(latin1(text))).toBeUndefined()
})

test.each([
  ['JPEG', latin1('\xff\xd8\xff')],
  ['PNG', PNG.subarray(0, 16)],
  ['GIF', latin1('GIF89a')],
  ['WebP', WEBP.subarray(0, 16)],
])('does not accept a %s that is cut off within its signature', (_name, signature) => {
  for (let length = 0; length < signature.length; length++) {
    expect(imageType(signature.subarray(0, length))).toBeUndefined()
  }
  expect(imageType(signature)).toBeDefined()
})
