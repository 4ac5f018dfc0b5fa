import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { FairQueue } from '../bounded/index.ts'
import { SECOND_MS } from '../clock/index.ts'
import type { Metrics } from '../telemetry/metrics.ts'

export interface HashCost {
  /** KiB. */
  memory: number
  passes: number
  parallelism: number
}

/** A hash takes about 100 ms of one core. An old one keeps its own cost. */
const COST: HashCost = { memory: 32 * 1024, passes: 3, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** One at a time: a hash takes a core and 32 MiB, and requests with a wrong password cost nothing to send. */
const QUEUE_LIMITS = { runningMax: 1, waitingPerKeyMax: 20, waitMsMax: 10 * SECOND_MS }

const argon2id = promisify((parameters: Argon2Parameters, done: (error: Error | null, hash: Buffer) => void) =>
  argon2('argon2id', parameters, done),
)

/** Hashes passwords with Argon2id, in a thread of Node's pool, one at a time. Clients take turns. */
export class PasswordHasher {
  readonly #queue = new FairQueue(QUEUE_LIMITS)

  readonly #cost: HashCost

  /** Only tests pass another cost. */
  constructor(metrics?: Pick<Metrics, 'watchQueue' | 'refused'>, cost = COST) {
    this.#cost = cost
    metrics?.watchQueue('passwords', this.#queue)
    this.#queue.onRefused = () => metrics?.refused.inc({ limit: 'passwords' })
  }

  /** `client` is the address that takes turns with others. Rejects with `QueueFull` if too many are waiting. */
  hash(password: string, client: string): Promise<string> {
    return this.#queue.run(client, async () => {
      const salt = randomBytes(SALT_BYTES)
      return format(this.#cost, salt, await compute(password, salt, this.#cost))
    })
  }

  /** Without a hash, it takes as long as with one: the time must not tell whether an account exists. */
  async verify(password: string, stored: string | null, client: string): Promise<boolean> {
    const { cost, salt, hash } = stored === null ? { ...NOBODY, cost: this.#cost } : parse(stored)
    const computed = await this.#queue.run(client, () => compute(password, salt, cost))
    return timingSafeEqual(computed, hash) && stored !== null
  }

  /** Whether the password should be hashed again, because the cost has changed since. */
  isOutdated(stored: string): boolean {
    return !stored.startsWith(prefixOf(this.#cost))
  }
}

const compute = (password: string, nonce: Buffer, cost: HashCost): Promise<Buffer> =>
  // The same letter can be typed in several ways.
  argon2id({ ...cost, message: password.normalize('NFC'), nonce, tagLength: HASH_BYTES })

/** The format that other programs use, too: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
const prefixOf = ({ memory, passes, parallelism }: HashCost): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`

const format = (cost: HashCost, salt: Buffer, hash: Buffer): string =>
  `${prefixOf(cost)}${encode(salt)}$${encode(hash)}`

const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

interface Parsed {
  cost: HashCost
  salt: Buffer
  hash: Buffer
}

const FORMAT = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/

function parse(stored: string): Parsed {
  const [, memory, passes, parallelism, salt = '', hash = ''] = FORMAT.exec(stored) ?? []
  if (hash === '') throw new Error('a stored password hash is malformed')
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

const NOBODY = { salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) }
