/** What the schema does not say about columns: values, shapes and meanings. Copied into `tables.generated.ts`. */
export interface Columns {
  /** Mails that wait to be sent. Without an organisation: many belong to a person only. */
  mails: {
    /** The organisation or the person because of whom it is sent. They take turns. */
    cause_id: string
    /** Sealed, because links are among them. */
    sealed_values: string
    /** When to try next. While a worker sends it, the end of its lease. */
    due_at: string
    /** Not sent after this time. */
    expires_at: string
    /** The resource that it quotes. When that is erased, so is the mail. */
    subject_id: string | null
  }
}
