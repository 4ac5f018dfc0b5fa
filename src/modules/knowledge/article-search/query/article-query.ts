export interface ArticleQuery {
  q: string
  knowledge_base_id?: string | undefined
  language?: string | undefined
  visibility?: string | undefined
}
