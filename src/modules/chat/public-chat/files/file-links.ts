import { DAY_MS, SECOND_MS } from '../../../../platform/clock/index.ts'
import type { Keyring } from '../../../../platform/keyring/index.ts'

/** A page that is open for longer must be loaded again to show its pictures. */
const LIFETIME_MS = DAY_MS
const KEY = /^(\d{1,12})\.(\d{1,9})\.([\w-]{22})$/

const textOf = (chatbotId: string, fileId: string, expires: string): string =>
  `chat file ${chatbotId} ${fileId} ${expires}`

/** Links to files that visitors have sent. Only somebody who may read the conversation gets one. */
export class FileLinks {
  readonly #keyring: Keyring

  constructor(keyring: Keyring) {
    this.#keyring = keyring
  }

  /** Changes once a day, so that browsers can cache the file. */
  sign(chatbot: { id: string; publicSlug: string }, fileId: string, nowMs: number): string {
    const expires = String((Math.floor(nowMs / LIFETIME_MS) + 2) * (LIFETIME_MS / SECOND_MS))
    const { generation, signature } = this.#keyring.sign('visit', textOf(chatbot.id, fileId, expires))
    return `/c/${chatbot.publicSlug}/files/${fileId}?k=${expires}.${generation}.${signature.toString('base64url')}`
  }

  verify({ id }: { id: string }, fileId: string, key: string, nowMs: number): boolean {
    const [, expires = '', generation, signature = ''] = KEY.exec(key) ?? []
    if (generation === undefined || Number(expires) * SECOND_MS <= nowMs) return false
    const bytes = Buffer.from(signature, 'base64url')
    return this.#keyring.verify('visit', Number(generation), textOf(id, fileId, expires), bytes)
  }
}
