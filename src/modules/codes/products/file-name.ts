const LENGTH_MAX = 255
/** Controls, also those that turn the direction of writing; and what separates folders. */
const UNWANTED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu

/** What the file is called at its address: shown to people, and never used to store it. */
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
