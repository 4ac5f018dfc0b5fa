/** More than any client sends. The rest of a longer header is ignored, so that it costs no work. */
const RANGES_MAX = 20

/** Longer than the header of a browser. */
const LENGTH_MAX = 1_000
const WEIGHT = /^q=([01](?:\.\d{0,3})?)$/

/** How much a client wants each media type (RFC 9110, 12.5.1), from 0 (not at all) to 1. One that does not say wants all. */
export class AcceptedTypes {
  readonly #weights = new Map<string, number>()

  constructor(accept: string | undefined) {
    for (const range of (accept ?? '').slice(0, LENGTH_MAX).toLowerCase().split(',', RANGES_MAX)) {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
      const weight = parameters.map((parameter) => WEIGHT.exec(parameter)?.[1]).find((found) => found !== undefined)
      if (type.includes('/')) this.#weights.set(type, Math.min(Number(weight ?? 1), 1))
    }
    if (this.#weights.size === 0) this.#weights.set('*/*', 1)
  }

  weightOf(mediaType: string): number {
    const group = `${mediaType.slice(0, mediaType.indexOf('/'))}/*`
    return this.#weights.get(mediaType) ?? this.#weights.get(group) ?? this.#weights.get('*/*') ?? 0
  }

  /** Whether the client names this media type, not only a range that includes it. */
  names(mediaType: string): boolean {
    return (this.#weights.get(mediaType) ?? 0) > 0
  }
}
