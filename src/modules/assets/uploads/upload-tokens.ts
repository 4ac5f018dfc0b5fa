import { HOUR_MS } from '../../../platform/clock/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { AnsweredFile } from './file-problems.ts'
import type { UploadTarget } from './upload-target.ts'

/** Shorter than a file is kept that nothing refers to. */
const LIFETIME_MS = 20 * HOUR_MS
const TOKEN_LENGTH_MAX = 4000
/** Texts that were sealed for other purposes are no tokens. */
const PREFIX = 'upload '

interface Sealed extends AnsweredFile {
  target: string
  field: string
  expires_at_ms: number
}

/**
 * Lets a form refer to files that were uploaded before it is sent. Sealed, so that a visitor can neither name files of
 * others nor change what we found out about a file.
 */
export class UploadTokens {
  readonly #keyring: Keyring
  readonly #db: Db

  constructor(keyring: Keyring, db: Db) {
    this.#keyring = keyring
    this.#db = db
  }

  seal({ id: target }: UploadTarget, field: string, file: AnsweredFile, nowMs: number): string {
    const sealed: Sealed = { ...file, target, field, expires_at_ms: nowMs + LIFETIME_MS }
    return this.#keyring.seal(PREFIX + JSON.stringify(sealed))
  }

  /** Returns undefined for one that is malformed, forged, too old, or of another page, chatbot or field. */
  async open(
    { id: target }: UploadTarget,
    field: string,
    token: string,
    nowMs: number,
  ): Promise<AnsweredFile | undefined> {
    if (token.length > TOKEN_LENGTH_MAX) return undefined
    const text = await this.#keyring.openSent(token, this.#db, nowMs)
    if (!text?.startsWith(PREFIX)) return undefined
    const sealed: Sealed = JSON.parse(text.slice(PREFIX.length))
    if (sealed.target !== target || sealed.field !== field || sealed.expires_at_ms <= nowMs) return undefined
    const { id, file_name, media_type, size_bytes } = sealed
    return { id, file_name, media_type, size_bytes }
  }
}
