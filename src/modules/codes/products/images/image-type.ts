export interface ImageType {
  mediaType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'
  extension: string
}

/** The number of bytes that are enough to recognise an image. */
export const IMAGE_HEAD_BYTES = 16

/** Recognises an image by its first bytes, because a file name or header may be wrong. */
export function imageType(bytes: Buffer): ImageType | undefined {
  const has = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text
  if (has('\xff\xd8\xff')) return { mediaType: 'image/jpeg', extension: 'jpg' }
  if (has('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')) return { mediaType: 'image/png', extension: 'png' }
  if (has('GIF87a') || has('GIF89a')) return { mediaType: 'image/gif', extension: 'gif' }
  // RIFF also contains audio and video. The first chunk of WebP is lossy, lossless or extended.
  if (has('RIFF') && ['VP8 ', 'VP8L', 'VP8X'].some((chunk) => has(`WEBP${chunk}`, 8))) {
    return { mediaType: 'image/webp', extension: 'webp' }
  }
  return undefined
}
