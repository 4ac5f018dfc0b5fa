import { LRUCache } from 'lru-cache'
import { type ArticleText, type Centre, readContent } from '../../modules/knowledge/help-centre/index.ts'
import type { Db } from '../../platform/db/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import { type Markdown, TaskLimitExceeded } from '../../platform/markdown/index.ts'
import { html } from '../../platform/text/html.ts'
import { excerpt } from './pages/lists.ts'

/** An article text rendered for display. */
export interface Rendered {
  /** Sanitised. */
  html: string
  /** For the meta description. */
  excerpt: string
}

const BYTES_MAX = 32 * 1024 * 1024
const EXCERPT_LENGTH_MAX = 160
const EMPTY: Rendered = { html: '', excerpt: '' }

/** Caches rendered texts until they change, because rendering costs more than the rest of the page. */
export class RenderedTexts {
  readonly bytesMax = BYTES_MAX
  readonly #cache: LRUCache<string, Rendered, { centre: Centre; text: ArticleText }>

  constructor(db: Db, markdown: Markdown) {
    this.#cache = new LRUCache({
      maxSize: BYTES_MAX,
      sizeCalculation: (rendered, key) => 2 * (rendered.html.length + rendered.excerpt.length + key.length),
      // Concurrent requests for the same text share one rendering, so it continues when one of the visitors leaves.
      fetchMethod: async (_key, _stale, { context: { centre, text } }) => {
        const found = await readContent(db, centre, text)
        if (found === undefined) return EMPTY
        const { content, content_plain } = found
        return {
          html: await render(markdown, centre.orgId, content),
          excerpt: excerpt(content_plain, EXCERPT_LENGTH_MAX),
        }
      },
    })
  }

  get usedBytes(): number {
    return this.#cache.calculatedSize
  }

  async get(centre: Centre, text: ArticleText): Promise<Rendered> {
    return (await this.#cache.fetch(`${text.id} ${text.updatedAt}`, { context: { centre, text } })) ?? EMPTY
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

/**
 * Makes wide tables and code blocks scroll horizontally, and focusable so that keyboard users can scroll them. Replacing
 * by pattern is safe because in sanitised HTML a `<` always starts a tag.
 */
const makeScrollable = (safe: string): string =>
  safe
    .replace(/<pre(?=[ >])/g, '<pre tabindex="0"')
    .replace(/<table(?=[ >])/g, '<div class="scroll" tabindex="0">$&')
    .replaceAll('</table>', '</table></div>')
