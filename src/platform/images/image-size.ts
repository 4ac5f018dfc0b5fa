import { open } from 'node:fs/promises'

export interface ImageSize {
  width: number
  height: number
}

/** The size is near the beginning of a file. In a photo, a preview and a colour profile come before it. */
export const IMAGE_HEAD_BYTES = 1024 * 1024

export async function imageSizeOfFile(path: string): Promise<ImageSize | undefined> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(IMAGE_HEAD_BYTES) })
    return imageSizeOf(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

/**
 * Reads the size of a JPEG, PNG, GIF, WebP, AVIF or ICO image from its first bytes, without decoding it. Returns undefined
 * for other files, and for damaged ones.
 */
export function imageSizeOf(head: Buffer): ImageSize | undefined {
  try {
    const size = READERS.find(({ begins }) => begins(head))?.read(head)
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // It ends too early.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

interface Reader {
  begins(head: Buffer): boolean
  read(head: Buffer): ImageSize | undefined
}

const ascii = (head: Buffer, from: number, to: number): string => head.toString('latin1', from, to)

const READERS: readonly Reader[] = [
  {
    begins: (head) => ascii(head, 1, 4) === 'PNG',
    read: (head) => ({ width: head.readUInt32BE(16), height: head.readUInt32BE(20) }),
  },
  {
    begins: (head) => ascii(head, 0, 4) === 'GIF8',
    read: (head) => ({ width: head.readUInt16LE(6), height: head.readUInt16LE(8) }),
  },
  { begins: (head) => ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP', read: readWebp },
  { begins: (head) => head[0] === 0xff && head[1] === 0xd8, read: readJpeg },
  { begins: (head) => ascii(head, 4, 8) === 'ftyp', read: readAvif },
  {
    begins: (head) => ascii(head, 0, 4) === '\0\0\x01\0',
    // 0 is 256.
    read: (head) => ({ width: head.readUInt8(6) || 256, height: head.readUInt8(7) || 256 }),
  },
]

function readWebp(head: Buffer): ImageSize | undefined {
  switch (ascii(head, 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

/** The size is in the frame header, the direction in the metadata before it. */
function readJpeg(head: Buffer): ImageSize | undefined {
  let isOnItsSide = false
  for (let at = 2; ; ) {
    if (head.readUInt8(at) !== 0xff) return undefined
    const marker = head.readUInt8(at + 1)
    const length = head.readUInt16BE(at + 2)
    if (marker === 0xe1 && ascii(head, at + 4, at + 8) === 'Exif') {
      isOnItsSide ||= readOrientation(head.subarray(at + 10, at + 2 + length)) >= 5
    }
    // All of C0 to CF are frame headers, except for the tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [head.readUInt16BE(at + 5), head.readUInt16BE(at + 7)]
      return isOnItsSide ? { width: height, height: width } : { width, height }
    }
    at += 2 + length
  }
}

const ORIENTATION = 0x0112

/** Returns 1 (upright) to 8. From 5 on, browsers swap width and height. */
function readOrientation(exif: Buffer): number {
  const isLittle = ascii(exif, 0, 2) === 'II'
  const short = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at))
  const directory = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4)
  for (let entry = 0; entry < short(directory); entry++) {
    const at = directory + 2 + entry * 12
    if (short(at) === ORIENTATION) return short(at + 8)
  }
  return 1
}

/** The largest size that is named: a thumbnail or an alpha channel may have one as well. */
function readAvif(head: Buffer): ImageSize | undefined {
  let largest: ImageSize | undefined
  for (let at = head.indexOf('ispe'); at !== -1; at = head.indexOf('ispe', at + 4)) {
    const size = { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) }
    if (largest === undefined || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}
