import { SharedCache } from '../../../../platform/bounded/index.ts'
import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import { type Markdown, makeScrollable, TaskLimitExceeded } from '../../../../platform/markdown/index.ts'
import { html } from '../../../../platform/text/html.ts'
import { type Block, textIn } from '../../blocks/index.ts'
import type { PublicPage } from '../../published-pages/index.ts'

const MIB = 1024 * 1024
/** An organisation has a quarter. */
const LIMITS = { bytesMax: 16 * MIB, bytesPerKeyMax: 4 * MIB }

/** Caches the text blocks of pages as HTML, without the values of placeholders. */
export class RenderedTexts {
  readonly bytesMax = LIMITS.bytesMax
  readonly #cache = new SharedCache(LIMITS, (texts: Map<string, string>) =>
    [...texts.values()].reduce((sum, text) => sum + 100 + 2 * text.length, 100),
  )
  readonly #markdown: Markdown

  constructor(markdown: Markdown) {
    this.#markdown = markdown
  }

  get usedBytes(): number {
    return this.#cache.usedBytes
  }

  /** The keys are the ids of blocks. */
  get(page: PublicPage, language: ContentLanguage): Promise<Map<string, string>> {
    return this.#cache.fetch(page.orgId, `${page.id} ${page.revision} ${language}`, async () => {
      const rendered = new Map<string, string>()
      for (const block of page.blocks) {
        if (block.type === 'text') rendered.set(block.id, await this.#render(page, language, block.config))
      }
      return rendered
    })
  }

  /** Falls back to the Markdown source when rendering would take too long. */
  async #render(page: PublicPage, language: ContentLanguage, config: Extract<Block, { type: 'text' }>['config']) {
    const { text } = textIn(config.text, language, page.defaultLanguage)
    try {
      return makeScrollable(await this.#markdown.toHtml(page.orgId, text))
    } catch (error) {
      if (error instanceof TaskLimitExceeded) return html`<p class="written">${text}</p>`.toString()
      throw error
    }
  }
}
