/** What the schema does not say about columns: values, shapes and meanings. Copied into `tables.generated.ts`. */
export interface Columns {
  article_categories: {
    translations: object
  }
  /** Slugs that articles had earlier. They redirect to the article, and no other article gets them. */
  article_old_slugs: object
  article_passages: {
    /** Whether it has a numbered list. */
    has_steps: boolean
    /** Stems in order, separated by spaces. */
    title_words: string
    /** A JSON array. */
    headings: string
  }
  /** Some of the words of an indexed text. */
  article_search_word_lists: {
    /** A JSON array. */
    words: string
    /** Whether the text is still in the index. */
    is_wanted: boolean
    /** Whether the words are counted in `article_search_words`. */
    is_counted: boolean
  }
  article_search_words: {
    /** Number of texts that contain it. */
    texts: number
    /** Whether its misspellings are stored. If not, or if `texts` is 0, the worker will store or delete them. */
    is_settled: boolean
  }
  /** The text of an article in one language: its own, or a translation. */
  article_texts: {
    warnings: readonly { line: number; message: string }[]
  }
  articles: {
    status: 'draft' | 'unpublished' | 'published' | 'archived'
    visibility: 'public' | 'internal' | 'chatbot_only'
    /** Whether its own text has no content. Help centres do not list it. */
    is_empty: boolean
    indexing_status: 'not_started' | 'pending' | 'processing' | 'indexed' | 'failed'
  }
  knowledge_base_addresses: {
    /** The public slug. */
    id: string
  }
  /** Changed by triggers, with everything that a page of the help centre shows. */
  knowledge_base_revisions: {
    /** On PostgreSQL there are several, so that transactions need not wait for each other. */
    slot: number
  }
  knowledge_base_synonyms: {
    /** A JSON array of arrays. */
    groups: string
    /** A hash of the groups. */
    digest: string
  }
  knowledge_bases: {
    translations: object
  }
}
