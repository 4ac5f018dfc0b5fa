import { hash } from 'node:crypto'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../platform/clock/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import { readCookie } from '../../../platform/http/server/cookies.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { AttributedScan } from '../../codes/scanned-things/index.ts'

/** How long a visitor can come back to a conversation. */
const CONVERSATION_MS = 30 * DAY_MS
const PASS_MS = 12 * HOUR_MS
/** What was scanned belongs to what the visitor does on the same day. */
const SCAN_MS = DAY_MS

interface Pass {
  chatbot: string
  /** Made from the hashed password, so that a new password ends all passes. */
  password: string
  expires_at_ms: number
}

type SealedScan = AttributedScan & { chatbot: string; expires_at_ms: number }

interface Chatbot {
  id: string
  publicSlug: string
  passwordHash: string | null
}

/** Texts that were sealed for other purposes are none of ours. */
const PASS = 'chat pass '
const SCAN = 'chat scan '
const LENGTH_MAX = 1000

/**
 * What the browser of a visitor keeps for one chatbot: the token of the conversation, the proof that the password was
 * right, and what was scanned. In the widget's frame, scripts keep the first two, and there are no cookies.
 */
export class ChatCookies {
  readonly #keyring: Keyring
  readonly #db: Db
  readonly #prefix: string
  readonly #attributes: string

  constructor(keyring: Keyring, db: Db, publicUrl: string) {
    const isSecure = publicUrl.startsWith('https:')
    this.#keyring = keyring
    this.#db = db
    this.#prefix = isSecure ? '__Secure-wm_chat' : 'wm_chat'
    this.#attributes = `HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }

  tokenIn(header: string | undefined): string | undefined {
    return readCookie(header, this.#prefix)
  }

  passIn(header: string | undefined): string | undefined {
    return readCookie(header, `${this.#prefix}_pass`)
  }

  setToken(chatbot: Chatbot, token: string): string {
    return this.#set(chatbot, '', token, CONVERSATION_MS)
  }

  clearToken(chatbot: Chatbot): string {
    return this.#set(chatbot, '', '', 0)
  }

  setPass(chatbot: Chatbot, pass: string): string {
    return this.#set(chatbot, '_pass', pass, PASS_MS)
  }

  setScan(chatbot: Chatbot, scan: AttributedScan, nowMs: number): string {
    const sealed: SealedScan = { ...scan, chatbot: chatbot.id, expires_at_ms: nowMs + SCAN_MS }
    return this.#set(chatbot, '_scan', this.#seal(SCAN, sealed), SCAN_MS)
  }

  async openScan({ id }: Chatbot, header: string | undefined, nowMs: number): Promise<AttributedScan | undefined> {
    const sealed = await this.#open<SealedScan>(SCAN, readCookie(header, `${this.#prefix}_scan`), nowMs)
    if (sealed?.chatbot !== id || sealed.expires_at_ms <= nowMs) return undefined
    return { scanned: sealed.scanned, scanId: sealed.scanId }
  }

  /** A proof that the visitor knows the password. */
  sealPass({ id, passwordHash }: Chatbot, nowMs: number): string {
    const pass: Pass = { chatbot: id, password: fingerprint(passwordHash), expires_at_ms: nowMs + PASS_MS }
    return this.#seal(PASS, pass)
  }

  /** Whether the visitor may chat. */
  async admits(chatbot: Chatbot, pass: string | undefined, nowMs: number): Promise<boolean> {
    const { id, passwordHash } = chatbot
    if (passwordHash === null) return true
    const opened = await this.#open<Pass>(PASS, pass, nowMs)
    return opened?.chatbot === id && opened.password === fingerprint(passwordHash) && opened.expires_at_ms > nowMs
  }

  #set({ publicSlug }: Chatbot, name: string, value: string, ageMs: number): string {
    return `${this.#prefix}${name}=${value}; Path=/c/${publicSlug}; Max-Age=${ageMs / SECOND_MS}; ${this.#attributes}`
  }

  #seal(prefix: string, value: object): string {
    return this.#keyring.seal(prefix + JSON.stringify(value))
  }

  async #open<T>(prefix: string, sealed: string | undefined, nowMs: number): Promise<T | undefined> {
    if (sealed === undefined || sealed.length > LENGTH_MAX) return undefined
    const text = await this.#keyring.openSent(sealed, this.#db, nowMs)
    return text?.startsWith(prefix) ? JSON.parse(text.slice(prefix.length)) : undefined
  }
}

const fingerprint = (passwordHash: string | null): string =>
  hash('sha256', passwordHash ?? '', 'base64url').slice(0, 16)
