import { open } from 'node:fs/promises'

/**
 * What metadata begins with: where and when a photo was taken, with which camera, by whom, and previews of what was cut off.
 * A match in compressed pixels is possible, but rare, and does no harm: the image is drawn anew without need.
 */
const BEGINNINGS: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['Exif\0\0', 'http://ns.adobe.com/xap/1.0/', 'Photoshop 3.0\0', 'MPF\0'],
  'image/png': ['eXIf', 'iTXt', 'tEXt', 'zTXt'],
  'image/webp': ['EXIF', 'XMP '],
  'image/gif': ['XMP DataXMP'],
  'image/avif': ['Exif', 'application/rdf+xml'],
}
const LENGTH_MAX = Math.max(...Object.values(BEGINNINGS).flatMap((texts) => texts.map(({ length }) => length)))
const CHUNK_BYTES = 256 * 1024

/** Whether a file may contain metadata. Reads it in pieces, so that it is never in memory as a whole. */
export async function mayHaveMetadata(path: string, mediaType: string): Promise<boolean> {
  const beginnings = BEGINNINGS[mediaType]
  if (beginnings === undefined) return false
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES)
    for (let position = 0; ; position += CHUNK_BYTES - LENGTH_MAX) {
      const { bytesRead } = await file.read({ buffer, position })
      const chunk = buffer.subarray(0, bytesRead)
      if (beginnings.some((text) => chunk.includes(text, 0, 'latin1'))) return true
      if (bytesRead < CHUNK_BYTES) return false
    }
  } finally {
    await file.close()
  }
}
