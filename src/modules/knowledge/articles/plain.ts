import { ApiError } from '../../../platform/errors/index.ts'
import { type Markdown, TooIntricate } from '../../../platform/markdown/index.ts'

export interface ArticleSettings {
  markdown: Markdown
}

/** The words of a content. Made before the transaction that stores it: rendering may take a while. */
export async function toPlain(content: string, { markdown }: ArticleSettings): Promise<string> {
  try {
    return await markdown.toPlain(content)
  } catch (error) {
    if (!(error instanceof TooIntricate)) throw error
    throw new ApiError(
      'unprocessable',
      'content: it takes too long to render. Nest less, or cut it into several articles.',
      {
        details: { field: 'content' },
      },
    )
  }
}
