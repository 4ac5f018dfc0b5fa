const LENGTH_MAX = 255
/** Control characters, including those that change the text direction, and path separators. */
const UNWANTED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu

/** A name as it can be displayed. It is never used to store the file. */
export function toFileName(sent: string, otherwise: string): string {
  const name = [...sent.replace(UNWANTED, '').trim()].slice(0, LENGTH_MAX).join('')
  return /^\.*$/.test(name) ? otherwise : name
}
