/** What the schema does not say about columns: values, shapes and meanings. Copied into `tables.generated.ts`. */
export interface Columns {
  page_addresses: {
    /** The public slug. */
    id: string
  }
  page_blocks: {
    blocks: object[]
  }
  page_views: {
    /** Starts with the time of the view. */
    id: string
  }
  pages: {
    status: 'draft' | 'active' | 'inactive' | 'archived'
    background: object
    island: object
    languages: string[]
    translations: object
    proof_of_work: 'automatic' | 'always' | 'never'
    notify_user_ids: string[]
    /** Changes with everything that visitors see. */
    revision: string
  }
  /** What happened to a submission after it was created. Not to be confused with events, which webhooks deliver. */
  submission_events: {
    type:
      | 'created'
      | 'status_changed'
      | 'priority_changed'
      | 'flagged'
      | 'unflagged'
      | 'assigned'
      | 'unassigned'
      | 'notes_updated'
      | 'replied'
    /** The user; null for visitors and API keys. */
    actor_id: string | null
  }
  submission_keys: {
    /** A hash of the page and the form key. */
    id: string
  }
  /** The private addresses of receipts. */
  submission_receipts: {
    /** The hash of a token. */
    id: string
  }
  submission_replies: {
    /** The user; null for API keys. */
    author_id: string | null
    /** Whether the visitor got a mail about it. */
    mailed: boolean
  }
  submissions: {
    /** Counts from 1, without gaps on a page. */
    number: number
    status: 'new' | 'read' | 'in_progress' | 'resolved' | 'spam'
    priority: 'none' | 'low' | 'medium' | 'high'
    data: object
    metadata: object
    spam_reason: 'honeypot' | 'too_fast' | 'no_proof_of_work' | null
    /** Answers and notes, folded. */
    search_text: string
  }
}
