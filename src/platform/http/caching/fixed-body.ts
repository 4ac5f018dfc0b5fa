import { type Compression, SERVICE } from './compression.ts'
import type { Encoding } from './encoding.ts'

interface Encoded {
  encoding: Encoding
  bytes: Buffer
}

/** A body that is sent many times. Each compressed form is made when it is first wanted, and kept. */
export class FixedBody {
  readonly plain: Encoded
  readonly #made = new Map<Encoding, Encoded>()
  readonly #making = new Map<Encoding, Promise<Encoded>>()

  constructor(body: Buffer) {
    this.plain = { encoding: 'identity', bytes: body }
    this.#made.set('identity', this.plain)
  }

  /** Does not wait: as long as the compressed form is being made, returns the body as it is. */
  peek(encoding: Encoding, compression: Compression): Encoded {
    const made = this.#made.get(encoding)
    if (made === undefined) void this.in(encoding, compression)
    return made ?? this.plain
  }

  /** Returns the body as it is if it cannot be compressed at the moment. */
  async in(encoding: Encoding, compression: Compression): Promise<Encoded> {
    const known = this.#made.get(encoding) ?? this.#making.get(encoding)
    if (known !== undefined || encoding === 'identity') return known ?? this.plain
    const making = compression
      .compress(SERVICE, this.plain.bytes, encoding, 'often')
      .catch(() => undefined)
      .then((bytes) => {
        this.#making.delete(encoding)
        if (bytes === undefined) return this.plain
        const made = { encoding, bytes }
        this.#made.set(encoding, made)
        return made
      })
    this.#making.set(encoding, making)
    return making
  }
}
