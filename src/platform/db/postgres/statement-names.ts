/** Together they limit the memory for statements: a list of ids has a parameter for each of them. */
const PREPARED_MAX = 500
const PREPARED_LENGTH_MAX = 8192

/** Names statements, so that each is prepared once per connection. */
export class StatementNames {
  readonly #names = new Map<string, string>()

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
