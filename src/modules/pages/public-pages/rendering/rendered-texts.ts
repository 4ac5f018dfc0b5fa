import { SharedCache } from '../../../../platform/bounded/index.ts'
import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import type { Markdown } from '../../../../platform/markdown/index.ts'
import { markdownHtml } from '../../../../platform/pages/index.ts'
import { textIn } from '../../blocks/index.ts'
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
        if (block.type !== 'text') continue
        const { text } = textIn(block.config.text, language, page.defaultLanguage)
        rendered.set(block.id, await markdownHtml(this.#markdown, page.orgId, text))
      }
      return rendered
    })
  }
}
