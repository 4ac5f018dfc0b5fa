const LENGTH_MAX = 255
/** Control characters, including those that change the text direction, and path separators. */
const UNWANTED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu

/** The file name in a URL. It is only displayed, never used to store the file. */
export function fileNameOf(url: string, extension: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? ''
  const name = [...decode(segment).replace(UNWANTED, '').trim()].slice(0, LENGTH_MAX).join('')
  return /^\.*$/.test(name) ? `image.${extension}` : name
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
