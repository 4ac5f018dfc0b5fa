import { type ArticleText, type Centre, readContent } from '../../modules/knowledge/help-centre/index.ts'
import { SharedCache } from '../../platform/bounded/index.ts'
import type { Db } from '../../platform/db/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import { type Markdown, makeScrollable, TaskLimitExceeded } from '../../platform/markdown/index.ts'
import { html } from '../../platform/text/html.ts'
import { excerpt } from './pages/lists.ts'

/** An article text rendered for display. */
export interface Rendered {
  /** Sanitised. */
  html: string
  /** For the meta description. */
  excerpt: string
}

const MIB = 1024 * 1024
/** An organisation has a quarter. */
const LIMITS = { bytesMax: 32 * MIB, bytesPerKeyMax: 8 * MIB }
const EXCERPT_LENGTH_MAX = 160

/**
 * Caches rendered texts until they change, because rendering costs more than the rest of the page. Concurrent requests for
 * the same text share one rendering, so it continues when one of the visitors leaves.
 */
export class RenderedTexts {
  readonly bytesMax = LIMITS.bytesMax
  readonly #cache = new SharedCache(LIMITS, ({ html, excerpt }: Rendered) => 2 * (html.length + excerpt.length))
  readonly #db: Db
  readonly #markdown: Markdown

  constructor(db: Db, markdown: Markdown) {
    this.#db = db
    this.#markdown = markdown
  }

  get usedBytes(): number {
    return this.#cache.usedBytes
  }

  get(centre: Centre, text: ArticleText): Promise<Rendered> {
    return this.#cache.fetch(centre.orgId, `${text.id} ${text.updatedAt}`, () => this.#render(centre, text))
  }

  async #render(centre: Centre, text: ArticleText): Promise<Rendered> {
    const found = await readContent(this.#db, centre, text)
    if (found === undefined) return { html: '', excerpt: '' }
    const { content, content_plain } = found
    return {
      html: await render(this.#markdown, centre.orgId, content),
      excerpt: excerpt(content_plain, EXCERPT_LENGTH_MAX),
    }
  }
}

/** Falls back to the Markdown source when rendering would take too long. */
async function render(markdown: Markdown, orgId: OrgId, content: string): Promise<string> {
  try {
    return makeScrollable(await markdown.toHtml(orgId, content))
  } catch (error) {
    if (error instanceof TaskLimitExceeded) return html`<p class="written">${content}</p>`.toString()
    throw error
  }
}
