import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type Timestamp, timestamp } from '../clock/index.ts'
import { columnsOf, type Database, type Db, type Row } from '../db/index.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { randomBytes } from '../ids/index.ts'

/** Purposes never share a key: the signature of a cursor must not be valid for anything else. */
type Purpose = 'cursor' | 'seal' | 'installation' | 'browser' | 'visit' | 'proof'

const RELOAD_INTERVAL_MS = 1000
/** Never deleted: the installation ID and older data depend on it. */
const FIRST_GENERATION = 1

export class Keyring {
  readonly #secretKey: string | undefined
  readonly #keys = new Map<string, Buffer>()
  #secrets = new Map<number, Buffer>()
  #newest = 0
  #loadedAtMs = 0

  private constructor(secretKey: string | undefined) {
    this.#secretKey = secretKey
  }

  /** Creates the first secret if there is none, and wraps secrets that were stored before SECRET_KEY was set. */
  static async load(database: Database, secretKey: string | undefined, nowMs: number): Promise<Keyring> {
    const keyring = new Keyring(secretKey)
    await database.write(async (tx) => {
      const rows = await tx.selectFrom('keyring').select(columnsOf('keyring')).execute()
      if (rows.length === 0) {
        await tx
          .insertInto('keyring')
          .values(keyring.#newRow(FIRST_GENERATION, timestamp(nowMs)))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }
      if (secretKey === undefined) return
      for (const { generation, secret } of rows.filter(({ wrapped }) => !wrapped)) {
        await tx
          .updateTable('keyring')
          .set({ secret: sealWith(wrappingKey(secretKey), secret), wrapped: true })
          .where('generation', '=', generation)
          .execute()
      }
    })
    await keyring.reload(database.read, nowMs)
    return keyring
  }

  /** Identifies the data of this installation. Stays the same when the data moves to another database engine. */
  get installationId(): string {
    return this.#hmac(FIRST_GENERATION, 'installation', '').toString('hex')
  }

  /** Adds a generation. Data that older generations signed or sealed stays valid. */
  async rotate(database: Database, nowMs: number): Promise<number> {
    await this.reload(database.read, nowMs)
    const generation = this.#newest + 1
    await database.write(async (tx) => {
      await tx
        .insertInto('keyring')
        .values(this.#newRow(generation, timestamp(nowMs)))
        .execute()
    })
    await this.reload(database.read, nowMs)
    return generation
  }

  async reload(db: Db, nowMs: number): Promise<void> {
    const rows = await db.selectFrom('keyring').select(['generation', 'secret', 'wrapped']).execute()
    this.#secrets = new Map(rows.map((row) => [row.generation, this.#unwrap(row)]))
    this.#newest = Math.max(...this.#secrets.keys())
    this.#loadedAtMs = nowMs
  }

  /**
   * Whether another process may have added this generation since the last load. Allows one reload per second, because
   * forged generations would otherwise cause a query per request.
   */
  mayBeNew(generation: number, nowMs: number): boolean {
    return generation > this.#newest && nowMs - this.#loadedAtMs >= RELOAD_INTERVAL_MS
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
    return openWith(this.#key(generation, 'seal'), sealed.slice(dot + 1))
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

  #newRow(generation: number, created_at: Timestamp): Row<'keyring'> {
    const secret = randomBytes(32).toString('base64')
    return this.#secretKey === undefined
      ? { generation, secret, wrapped: false, created_at }
      : { generation, secret: sealWith(wrappingKey(this.#secretKey), secret), wrapped: true, created_at }
  }

  #unwrap({ secret, wrapped }: Pick<Row<'keyring'>, 'secret' | 'wrapped'>): Buffer {
    if (!wrapped) return Buffer.from(secret, 'base64')
    if (this.#secretKey === undefined) {
      throw new OperatorError('This database was set up with a SECRET_KEY. Set SECRET_KEY to the same value.')
    }
    try {
      return Buffer.from(openWith(wrappingKey(this.#secretKey), secret), 'base64')
    } catch {
      throw new OperatorError('SECRET_KEY is not the one that this database was set up with. Set it to that value.')
    }
  }
}

const wrappingKey = (secretKey: string): Buffer => hash('sha256', secretKey, 'buffer')

const NONCE_BYTES = 12
const TAG_BYTES = 16

function sealWith(key: Buffer, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
}

function openWith(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}
