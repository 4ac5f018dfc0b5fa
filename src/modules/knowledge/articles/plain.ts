import { ApiError } from '../../../platform/errors/index.ts'
import { type Markdown, TaskLimitExceeded } from '../../../platform/markdown/index.ts'

export interface ArticleSettings {
  markdown: Markdown
}

/** Returns the text of Markdown without markup. Call it outside of transactions: rendering may take a while. */
export async function toPlain(content: string, { markdown }: ArticleSettings): Promise<string> {
  try {
    return await markdown.toPlain(content)
  } catch (error) {
    if (!(error instanceof TaskLimitExceeded)) throw error
    throw new ApiError(
      'unprocessable',
      'content: takes too long to render. Nest it less deeply, or split it into several articles.',
      { details: { field: 'content' } },
    )
  }
}
