import { toFileName } from '../../assets/assets/index.ts'

/** The file name in a URL. It is only displayed, never used to store the file. */
export function fileNameOf(url: string, extension: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? ''
  return toFileName(decode(segment), `image.${extension}`)
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
