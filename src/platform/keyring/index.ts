import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Database, Db } from '../db/index.ts'
import { ApiError } from '../errors/index.ts'
import { ensureSecret, FIRST_GENERATION, selectSecrets } from './change.ts'
import { openWith, sealWith } from './cipher.ts'
import { canOpen, examineSecrets, explainMismatch, type SecretKeyState, type SecretKeys, unwrap } from './secret-key.ts'

export { adoptSecretKey, removeSecretKey, rotateSecrets } from './change.ts'
export { explainMismatch, type SecretKeyState, type SecretKeys } from './secret-key.ts'

/** Purposes never share a key: the signature of a cursor must not be valid for anything else. */
type Purpose = 'cursor' | 'seal' | 'installation' | 'browser' | 'visit' | 'proof'

/** How the settings fit what is stored. Only reads. */
export const findSecretKeyState = async (db: Db, settings: SecretKeys): Promise<SecretKeyState> =>
  examineSecrets(await selectSecrets(db), settings)

const RELOAD_INTERVAL_MS = 1000

export class Keyring {
  readonly #settings: SecretKeys
  readonly #keys = new Map<string, Buffer>()
  readonly #secrets = new Map<number, Buffer>()
  #newest = 0
  #newestStored = 0
  #loadedAtMs = 0
  #problem: string | undefined

  private constructor(settings: SecretKeys) {
    this.#settings = settings
  }

  /** Creates the first secret if there is none. Encrypts nothing: see `adoptSecretKey`. */
  static async load(database: Database, settings: SecretKeys, nowMs: number): Promise<Keyring> {
    await ensureSecret(database, nowMs)
    const keyring = new Keyring(settings)
    await keyring.reload(database.read, nowMs)
    return keyring
  }

  /** Identifies the data of this installation. Stays the same when the data moves to another database engine. */
  get installationId(): string {
    return this.#hmac(FIRST_GENERATION, 'installation', '').toString('hex')
  }

  /** The generation that signs and seals. */
  get newest(): number {
    return this.#newest
  }

  /** What the operator has to correct, because this process cannot read all secrets any more. */
  get problem(): string | undefined {
    return this.#problem
  }

  /**
   * Reads the secrets that were added. Never forgets one: if somebody has replaced SECRET_KEY meanwhile, this process goes on
   * with those that it knows.
   */
  async reload(db: Db, nowMs: number): Promise<void> {
    const rows = await selectSecrets(db)
    const state = examineSecrets(rows, this.#settings)
    const isUnreadable = state === 'missing' || state === 'wrong'
    if (isUnreadable && this.#secrets.size === 0) throw explainMismatch(this.#settings)
    this.#problem = isUnreadable ? explainMismatch(this.#settings).message : undefined
    for (const row of rows.filter((row) => !this.#secrets.has(row.generation) && canOpen(row, this.#settings))) {
      this.#secrets.set(row.generation, Buffer.from(unwrap(row, this.#settings), 'base64'))
    }
    this.#newest = Math.max(...this.#secrets.keys())
    this.#newestStored = Math.max(...rows.map(({ generation }) => generation))
    this.#loadedAtMs = nowMs
  }

  /** Whether others may seal with a secret that this process cannot read, so that some of its requests fail. */
  get isBehind(): boolean {
    return this.#newestStored > this.#newest
  }

  /**
   * Whether another process may have added this generation since the last load. Allows one reload per second, because
   * forged generations would otherwise cause a query per request.
   */
  mayBeNew(generation: number, nowMs: number): boolean {
    return generation > this.#newest && Math.abs(nowMs - this.#loadedAtMs) >= RELOAD_INTERVAL_MS
  }

  sign(purpose: Purpose, data: string): { generation: number; signature: Buffer } {
    return { generation: this.#newest, signature: this.#hmac(this.#newest, purpose, data) }
  }

  verify(purpose: Purpose, generation: number, data: string, signature: Buffer): boolean {
    if (!this.#secrets.has(generation)) return false
    const expected = this.#hmac(generation, purpose, data)
    return signature.length === expected.length && timingSafeEqual(signature, expected)
  }

  /** Encrypts and authenticates a text for storage. */
  seal(text: string): string {
    return `${this.#newest}.${sealWith(this.#key(this.#newest, 'seal'), text)}`
  }

  /** Decrypts a sealed text. Reloads first if another process sealed it with a newer generation. */
  async open(sealed: string, db: Db, nowMs: number): Promise<string> {
    const dot = sealed.indexOf('.')
    const generation = Number(sealed.slice(0, dot))
    if (!this.#secrets.has(generation)) await this.reload(db, nowMs)
    if (this.#problem !== undefined && !this.#secrets.has(generation)) {
      throw new ApiError(
        'service_unavailable',
        'This instance cannot read its secrets. Its operator has to correct it.',
      )
    }
    return openWith(this.#key(generation, 'seal'), sealed.slice(dot + 1))
  }

  /** A sealed text again, sealed with the newest secret. Undefined if it is. */
  async reseal(sealed: string, db: Db, nowMs: number): Promise<string | undefined> {
    return sealed.startsWith(`${this.#newest}.`) ? undefined : this.seal(await this.open(sealed, db, nowMs))
  }

  /** Decrypts a sealed text that a client sent. Returns undefined if it is forged. */
  async openSent(sealed: string, db: Db, nowMs: number): Promise<string | undefined> {
    const generation = Number(/^(\d{1,9})\./.exec(sealed)?.[1])
    if (this.mayBeNew(generation, nowMs)) await this.reload(db, nowMs)
    if (!this.#secrets.has(generation)) return undefined
    try {
      return openWith(this.#key(generation, 'seal'), sealed.slice(sealed.indexOf('.') + 1))
    } catch {
      return undefined
    }
  }

  #hmac(generation: number, purpose: Purpose, data: string): Buffer {
    return createHmac('sha256', this.#key(generation, purpose)).update(data).digest().subarray(0, 16)
  }

  #key(generation: number, purpose: Purpose): Buffer {
    const name = `${generation}/${purpose}`
    let key = this.#keys.get(name)
    if (key === undefined) {
      const secret = this.#secrets.get(generation)
      if (secret === undefined) throw new Error(`the keyring has no generation ${generation}`)
      key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
      this.#keys.set(name, key)
    }
    return key
  }
}
