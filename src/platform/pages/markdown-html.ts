import type { OrgId } from '../ids/index.ts'
import { type Markdown, makeScrollable, TaskLimitExceeded } from '../markdown/index.ts'
import { html } from '../text/html.ts'

/** Renders Markdown as sanitised HTML. Falls back to the Markdown source when rendering would take too long. */
export async function markdownHtml(markdown: Pick<Markdown, 'toHtml'>, orgId: OrgId, source: string): Promise<string> {
  try {
    return makeScrollable(await markdown.toHtml(orgId, source))
  } catch (error) {
    if (error instanceof TaskLimitExceeded) return html`<p class="written">${source}</p>`.toString()
    throw error
  }
}
