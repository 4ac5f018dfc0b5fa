export interface ArticleQuery {
  q: string
  knowledge_base_id?: string | undefined
  language?: string | undefined
  visibility?: string | undefined
  /** Whether words that no text has are left out rather than corrected. */
  keepsSpelling?: boolean | undefined
}
