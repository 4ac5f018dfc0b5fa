import { ApiError } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Markdown, TaskLimitExceeded } from '../../../platform/markdown/index.ts'

export interface ArticleSettings {
  markdown: Markdown
}

/** Whom a text is rendered for. With a `Context`, a text that waits is dropped when the client leaves. */
interface Requester {
  readonly orgId: OrgId
  readonly signal?: AbortSignal
}

/** Returns the text of Markdown without markup. Call it outside of transactions: rendering may take a while. */
export async function toPlain(
  { orgId, signal }: Requester,
  content: string,
  { markdown }: ArticleSettings,
): Promise<string> {
  try {
    return await markdown.toPlain(orgId, content, signal)
  } catch (error) {
    if (!(error instanceof TaskLimitExceeded)) throw error
    throw new ApiError(
      'unprocessable',
      'content: takes too long to render. Nest it less deeply, or split it into several articles.',
      { details: { field: 'content' } },
    )
  }
}
