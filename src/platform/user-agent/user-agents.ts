import { ByteCache, copyOf } from '../bounded/index.ts'
import { isBotAgent } from './bots.ts'
import { type Device, describeDevice } from './device.ts'

/** A parsed User-Agent header. Frozen, because all requests with the same header share it. */
export interface UserAgent {
  /** The header to store: at most 512 characters, without control characters; null when it was empty or missing. */
  readonly text: string | null
  readonly isBot: boolean
  readonly device: Readonly<Device>
}

/** Room for a few thousand headers. */
const BYTES_MAX = 4 * 1024 * 1024
const LENGTH_MAX = 512

/**
 * Parses User-Agent headers and caches the results. Parsing a new header costs about 40 µs, and a few thousand
 * different headers make up nearly all traffic.
 */
export class UserAgents {
  readonly bytesMax = BYTES_MAX
  readonly #known = new ByteCache<UserAgent>(BYTES_MAX, ({ text }) => 200 + 2 * (text?.length ?? 0))

  get usedBytes(): number {
    return this.#known.usedBytes
  }

  read(header = ''): UserAgent {
    const sent = header.length > LENGTH_MAX ? cut(header) : header
    const known = this.#known.get(sent)
    if (known !== undefined) return known
    const userAgent = recognise(sent)
    this.#known.set(sent, userAgent)
    return userAgent
  }
}

function recognise(sent: string): UserAgent {
  const text = copyOf(sent.replace(/\p{Cc}+/gu, '')).trim()
  const isBot = text === '' || isBotAgent(text)
  return Object.freeze({ text: text === '' ? null : text, isBot, device: Object.freeze(describeDevice(text)) })
}

/** Does not cut between the halves of a surrogate pair. */
function cut(text: string): string {
  const last = text.charCodeAt(LENGTH_MAX - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? LENGTH_MAX - 1 : LENGTH_MAX)
}
