/** What the schema does not say about columns: values, shapes and meanings. Copied into `tables.generated.ts`. */
export interface Columns {
  audit_log: {
    actor_kind: 'person' | 'api_key' | 'application' | 'command_line' | 'system'
    /** The person, the API key or the application; null for others. */
    actor_id: string | null
    /** The resources of an action on many. */
    resource_ids: unknown
  }
  /** Events are written by the transaction that causes them, so none is lost and none is emitted after a rollback. */
  events: {
    /** The first event of the batch that it was written with; null if it was written alone. */
    batch_id: string | null
  }
  /**
   * The responses to requests with an `Idempotency-Key`, stored for a day. A response is inserted in the transaction of
   * the change itself, so a crash leaves both or neither.
   */
  idempotent_answers: {
    /** Always encrypted: some responses contain a secret that is shown only once. */
    body: string
  }
  /**
   * The secrets of the service, stored in the database so that all instances share them and they survive a restart.
   * The newest generation signs and seals. Older generations stay, to verify and open data from before a rotation.
   */
  keyring: {
    /** Whether `secret` is encrypted with SECRET_KEY, so that a copy of the database alone decrypts nothing. */
    wrapped: boolean
  }
  /** PostgreSQL only. The table is unlogged: counts need not survive a crash and must not wait for the disk. */
  rate_windows: object
  /**
   * The number of rows of a table per organisation, or the sum of a column, maintained by triggers. Every offset list
   * returns a `total`, and counting a million rows for each page would cost more than the page itself.
   */
  row_totals: {
    /**
     * The table, `totalOf(…)` for the rows with one value in a column, `sumOf(…)` for the sum of a column, or columns with a
     * combination of values, as in `articles.status,language=draft,de`.
     */
    table_name: string
    /** On PostgreSQL, the total is the sum of several rows, so that concurrent transactions do not wait for each other. */
    slot: number
  }
  /** What has applied each migration from `0057_schema_steps` on. Never in a backup: a restore applies them itself. */
  schema_steps: {
    /** The version, with its commit if that is known. */
    build: string
    /** Whether the versions before it cannot use the database any more. */
    is_breaking: boolean
  }
  /** Resources that were permanently deleted. Their ids return 410 to their own organisation and 404 to any other. */
  tombstones: object
  /** What is left of large transactions that are committed, in pieces (ADR 54). */
  unfinished_writes: {
    /** The rows for which the statement runs, as a JSON array. */
    each_row: string
  }
}
