import { LRUCache } from 'lru-cache'
import { type Article, type Centre, readContent } from '../../modules/knowledge/help-centre/index.ts'
import type { Db } from '../../platform/db/index.ts'
import { type Markdown, TooIntricate } from '../../platform/markdown/index.ts'
import { html } from '../../platform/text/html.ts'
import { excerpt } from './pages/lists.ts'

/** A text of an article, ready to be shown. */
export interface Rendered {
  /** Safe. */
  html: string
  /** How it begins, for whoever lists pages. */
  excerpt: string
}

const BYTES_MAX = 32 * 1024 * 1024
const EXCERPT_LENGTH_MAX = 160
const EMPTY: Rendered = { html: '', excerpt: '' }

type Text = Article['text']

/** To render a text costs more than all the rest of its page, so what was rendered is kept until the text changes. */
export class RenderedTexts {
  readonly #kept: LRUCache<string, Rendered, { centre: Centre; text: Text }>

  constructor(db: Db, markdown: Markdown) {
    this.#kept = new LRUCache({
      maxSize: BYTES_MAX,
      sizeCalculation: (rendered, key) => 2 * (rendered.html.length + rendered.excerpt.length + key.length),
      // Whoever asks while a text is being rendered waits for the same one.
      fetchMethod: async (_key, _stale, { context: { centre, text } }) => {
        const found = await readContent(db, centre, text)
        if (found === undefined) return EMPTY
        const { content, content_plain } = found
        return { html: await render(markdown, content), excerpt: excerpt(content_plain, EXCERPT_LENGTH_MAX) }
      },
    })
  }

  async get(centre: Centre, text: Text): Promise<Rendered> {
    return (await this.#kept.fetch(`${text.id} ${text.updatedAt}`, { context: { centre, text } })) ?? EMPTY
  }
}

/** What would take too long to render is shown as it was written. */
async function render(markdown: Markdown, content: string): Promise<string> {
  try {
    return letScroll(await markdown.toHtml(content))
  } catch (error) {
    if (error instanceof TooIntricate) return html`<p class="written">${content}</p>`.toString()
    throw error
  }
}

/**
 * Wide tables and code scroll within themselves, and whoever has no pointer must be able to go there. In safe HTML a `<`
 * is always the beginning of a tag.
 */
const letScroll = (safe: string): string =>
  safe
    .replace(/<pre(?=[ >])/g, '<pre tabindex="0"')
    .replace(/<table(?=[ >])/g, '<div class="scroll" tabindex="0">$&')
    .replaceAll('</table>', '</table></div>')
