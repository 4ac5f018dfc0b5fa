import type { Statement, Value } from './statements.ts'

/** Together they limit the memory for statements: a list of ids has a parameter for each of them. */
const PREPARED_MAX = 500
const PREPARED_LENGTH_MAX = 8192

/** Names statements, so that each is prepared once per connection. */
export class StatementNames {
  readonly #names = new Map<string, string>()

  toStatement(text: string, parameters: readonly unknown[]): Statement {
    return { text, values: parameters.map(toValue), name: this.of(text) }
  }

  /** Returns undefined if the statement is not to be prepared. */
  of(text: string): string | undefined {
    let name = this.#names.get(text)
    if (name === undefined && this.#names.size < PREPARED_MAX && text.length <= PREPARED_LENGTH_MAX) {
      name = `waymark_${this.#names.size}`
      this.#names.set(text, name)
    }
    return name
  }
}

/** `pg` would send a JavaScript array as a PostgreSQL array. Our arrays are always JSON. */
function toValue(value: unknown): Value {
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
