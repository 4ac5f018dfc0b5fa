import { crc32 } from 'node:zlib'

/** A line is `<crc32> v<version> <generation> <json>`. The checksum covers all that follows it. */
export interface JournalLine {
  /** That of the entries. Older releases see it first, and keep a file that they cannot read. */
  version: number
  /**
   * A file is written again from its start, so behind its last line are rests of older generations. The first line tells
   * which one counts.
   */
  generation: number
  json: string
}

const CHECKSUM_LENGTH = 8

/** Older releases wrote no generation, and the first ones no version either. JSON texts of entries begin with neither. */
const START = /^(?:v(\d+) )?(?:(\d+) )?/

export function toLine({ version, generation, json }: JournalLine): string {
  const content = `v${version} ${generation} ${json}`
  return `${checksum(content)} ${content}\n`
}

/** Returns undefined for a damaged or incomplete line. */
export function parseLine(line: string): JournalLine | undefined {
  const content = line.slice(CHECKSUM_LENGTH + 1)
  if (line.slice(0, CHECKSUM_LENGTH) !== checksum(content)) return undefined
  const [start = '', version = 0, generation = 0] = START.exec(content) ?? []
  return { version: Number(version), generation: Number(generation), json: content.slice(start.length) }
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(CHECKSUM_LENGTH, '0')
