import { LRUCache } from 'lru-cache'
import { isBotAgent } from './bots.ts'
import { type Device, describeDevice } from './device.ts'

/** What a User-Agent header tells. Shared by every request that sent the same one, and therefore frozen. */
interface UserAgent {
  /** As it may be stored: at most 512 characters without control characters; null when none was sent. */
  readonly text: string | null
  readonly isBot: boolean
  readonly device: Readonly<Device>
}

const REMEMBERED_MAX = 5_000
const LENGTH_MAX = 512

/**
 * Reads User-Agent headers, and remembers what it read: a new one costs about 40 µs, a known one a look-up, and a
 * few thousand different ones make up nearly all traffic.
 */
export function rememberUserAgents(): (header: string | undefined) => UserAgent {
  const remembered = new LRUCache<string, UserAgent>({ max: REMEMBERED_MAX })
  return (header = '') => {
    const sent = header.length > LENGTH_MAX ? cut(header) : header
    const known = remembered.get(sent)
    if (known !== undefined) return known
    const userAgent = recognise(sent)
    remembered.set(flat(sent), userAgent)
    return userAgent
  }
}

function recognise(sent: string): UserAgent {
  const text = flat(sent.replace(/\p{Cc}+/gu, '')).trim()
  const isBot = text === '' || isBotAgent(text)
  return Object.freeze({ text: text === '' ? null : text, isBot, device: Object.freeze(describeDevice(text)) })
}

/** Not between the halves of a surrogate pair. */
function cut(text: string): string {
  const last = text.charCodeAt(LENGTH_MAX - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? LENGTH_MAX - 1 : LENGTH_MAX)
}

/** A copy of its own: a slice would keep the whole header of 16 KB alive for as long as it is remembered. */
const flat = (text: string): string => Buffer.from(text).toString()
