import type { Statement, Value } from './statements.ts'

/** Together they limit the memory for statements: a list of ids has a parameter for each of them. */
const PREPARED_MAX = 500
const PREPARED_LENGTH_MAX = 8192
/** Limits the memory for statements that have run once. Clearing a full set costs some of them one more run. */
const SEEN_MAX = 500

/**
 * Names statements, so that each is prepared once per connection. A statement gets its name when it is run again: those of
 * migrations alone would otherwise take all names, and what the service runs all the time would never be prepared.
 */
export class StatementNames {
  readonly #names = new Map<string, string>()
  /** Statements that have run once. */
  readonly #seen = new Set<string>()

  toStatement(text: string, parameters: readonly unknown[]): Statement {
    return { text, values: parameters.map(toValue), name: this.of(text) }
  }

  /** Returns undefined if the statement is not to be prepared. */
  of(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= PREPARED_MAX || text.length > PREPARED_LENGTH_MAX) return known
    if (!this.#seen.delete(text)) {
      if (this.#seen.size >= SEEN_MAX) this.#seen.clear()
      this.#seen.add(text)
      return undefined
    }
    const name = `waymark_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}

/** `pg` would send a JavaScript array as a PostgreSQL array. Our arrays are always JSON. */
function toValue(value: unknown): Value {
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
