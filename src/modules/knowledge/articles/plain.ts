import { ApiError } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Markdown, TaskLimitExceeded, type Warning } from '../../../platform/markdown/index.ts'

export interface ArticleSettings {
  markdown: Markdown
  /** What the public addresses of the organisation begin with. */
  publicUrl: string
}

/** Whom a text is rendered for. With a `Context`, a text that waits is dropped when the client leaves. */
interface Requester {
  readonly orgId: OrgId
  readonly signal?: AbortSignal
}

/** What is stored with a content, because it takes long to find out. */
interface Derived {
  /** The text without markup. */
  content_plain: string
  warnings: readonly Warning[]
}

/** Call it outside of transactions: rendering may take a while. */
export async function toPlain(
  { orgId, signal }: Requester,
  content: string,
  { markdown }: Pick<ArticleSettings, 'markdown'>,
): Promise<Derived> {
  try {
    const { text, warnings } = await markdown.toPlain(orgId, content, signal)
    return { content_plain: text, warnings }
  } catch (error) {
    if (!(error instanceof TaskLimitExceeded)) throw error
    throw new ApiError(
      'unprocessable',
      'content: takes too long to render. Nest it less deeply, or split it into several articles.',
      { details: { field: 'content' } },
    )
  }
}
