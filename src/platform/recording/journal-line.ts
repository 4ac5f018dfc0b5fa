import { crc32 } from 'node:zlib'

/**
 * A line is `<crc32> v<version> <json>`, and the checksum covers version and JSON. Version 0 has no `v0`: the first
 * releases wrote `<crc32> <json>`. No JSON text begins with a `v`, so the two cannot be confused.
 */
export interface JournalLine {
  version: number
  json: string
}

const CHECKSUM_LENGTH = 8
const VERSION = /^v(\d+) /

/** Valid in JSON as they are, but `readLines` takes them for the end of a line. */
const LINE_ENDS = /[\u2028\u2029]/g

export function toLine(version: number, entry: unknown): string {
  const json = JSON.stringify(entry).replace(LINE_ENDS, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'))
  const content = `v${version} ${json}`
  return `${checksum(content)} ${content}\n`
}

/** Returns undefined for a damaged or incomplete line. */
export function parseLine(line: string): JournalLine | undefined {
  const content = line.slice(CHECKSUM_LENGTH + 1)
  if (line.slice(0, CHECKSUM_LENGTH) !== checksum(content)) return undefined
  const version = VERSION.exec(content)
  if (version === null) return { version: 0, json: content }
  return { version: Number(version[1]), json: content.slice(version[0].length) }
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(CHECKSUM_LENGTH, '0')
