export interface ImageType {
  mediaType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'
  extension: string
}

/** Told by the first bytes alone: a name or a header says what the sender wants us to believe. */
export function imageType(bytes: Buffer): ImageType | undefined {
  const has = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text
  if (has('\xff\xd8\xff')) return { mediaType: 'image/jpeg', extension: 'jpg' }
  if (has('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')) return { mediaType: 'image/png', extension: 'png' }
  if (has('GIF87a') || has('GIF89a')) return { mediaType: 'image/gif', extension: 'gif' }
  // RIFF also holds sound and film; after the kind comes the first chunk: lossy, lossless or extended.
  if (has('RIFF') && ['VP8 ', 'VP8L', 'VP8X'].some((chunk) => has(`WEBP${chunk}`, 8))) {
    return { mediaType: 'image/webp', extension: 'webp' }
  }
  return undefined
}
