export interface EachOfOptions {
  /** How many rows a large transaction writes together, if they take longer than their number of values says. */
  rowsMax?: number
  /** Whether a large transaction may write them before it is committed: without the rest, they mean nothing to anybody. */
  isAhead?: boolean
}

/** The only parameter of a statement that runs once for each of these rows. */
export class EachOf {
  readonly rows: readonly (readonly unknown[])[]
  readonly options: EachOfOptions
  #json: string | undefined

  constructor(rows: readonly (readonly unknown[])[], options: EachOfOptions = {}) {
    this.rows = rows
    this.options = options
  }

  /** Makes the text now rather than when it is needed. */
  prepare(): void {
    this.#json ??= JSON.stringify(this.rows)
  }

  /** How the rows are passed on. Made once, because a large transaction needs it twice. */
  get json(): string {
    this.#json ??= JSON.stringify(this.rows)
    return this.#json
  }
}
