/** The only parameter of a statement that runs once for each of these rows. */
export class EachOf {
  readonly rows: readonly (readonly unknown[])[]
  #json: string | undefined

  constructor(rows: readonly (readonly unknown[])[]) {
    this.rows = rows
  }

  /** How the rows are passed on. Made once, because a large transaction needs it twice. */
  get json(): string {
    this.#json ??= JSON.stringify(this.rows)
    return this.#json
  }
}
