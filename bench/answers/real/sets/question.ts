/** A question to documentation as it is. The answer is looked for in what the visitor reads. */
export interface RealQuestion {
  text: string
  /** The keys of the articles that answer it, any of which is right. Empty: none does. */
  articles: readonly string[]
  /** What the answer has to say, any of these. It is compared without marks of Markdown, spaces and case. */
  facts: readonly string[]
}

export const asks = (
  articles: string | readonly string[],
  facts: string | readonly string[],
  text: string,
): RealQuestion => ({ text, articles: [articles].flat(), facts: [facts].flat() })

export const undocumented = (text: string): RealQuestion => ({ text, articles: [], facts: [] })
