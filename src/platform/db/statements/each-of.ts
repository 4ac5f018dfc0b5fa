/** The only parameter of a statement that runs once for each of these rows. */
export class EachOf {
  readonly rows: readonly (readonly unknown[])[]
  constructor(rows: readonly (readonly unknown[])[]) {
    this.rows = rows
  }
}
