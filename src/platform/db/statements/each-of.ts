export interface EachOfOptions {
  /** How many rows a large transaction writes together, if they take longer than their number of values says. */
  rowsMax?: number
  /** Whether a large transaction may write them before it is committed: without the rest, they mean nothing to anybody. */
  isAhead?: boolean
  tally?: Tally
}

/**
 * Counts the rows that changed something, and runs a statement once for each group of them. Its parameters are the value
 * that a group has in common, the number of its rows, and the largest value of a column.
 */
export interface Tally {
  statement: string
  /** The places of what a row counts for: for each value that is neither null nor the same as at the place before. */
  by: readonly number[]
  /** The places of these values in a row. A row is not counted if its value at `unless` is true. */
  latest: number
  unless: number
}

/** The only parameter of a statement that runs once for each of these rows. */
export class EachOf {
  readonly options: EachOfOptions
  #rows: readonly (readonly unknown[])[] | undefined
  #json: string | undefined

  /** Rows of values, or a JSON text of them. */
  constructor(rows: readonly (readonly unknown[])[] | string, options: EachOfOptions = {}) {
    if (typeof rows === 'string') this.#json = rows
    else this.#rows = rows
    this.options = options
  }

  get rows(): readonly (readonly unknown[])[] {
    this.#rows ??= JSON.parse(this.#json as string) as unknown[][]
    return this.#rows
  }

  /** How often the statement runs; if nobody has counted, often. */
  get times(): number {
    return this.#rows?.length ?? Number.POSITIVE_INFINITY
  }

  /** Makes the text now rather than when it is needed. */
  prepare(): void {
    this.#json ??= JSON.stringify(this.#rows)
  }

  /** How the rows are passed on. Made once, because a large transaction needs it twice. */
  get json(): string {
    this.prepare()
    return this.#json as string
  }
}
