import { SharedCache } from '../../../platform/bounded/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import { type Markdown, sizeImages } from '../../../platform/markdown/index.ts'
import { markdownHtml } from '../../../platform/pages/index.ts'
import { findImageSizes } from '../../assets/assets/index.ts'
import { type ArticleText, type Centre, readContent } from '../public-articles/index.ts'
import { excerpt } from './pages/lists.ts'

/** An article text rendered for display. */
export interface Rendered {
  /** Sanitised. */
  html: string
  /** The meta description of the page. */
  excerpt: string
  /** The first picture of the text. */
  image: string | undefined
}

const MIB = 1024 * 1024
/** An organisation has a quarter. */
const LIMITS = { bytesMax: 32 * MIB, bytesPerKeyMax: 8 * MIB }
const EXCERPT_LENGTH_MAX = 160
const FIRST_IMAGE = /<img [^>]*?\bsrc="(https:\/\/[^"]{1,2000})"/

/**
 * Caches rendered texts until they change, because rendering costs more than the rest of the page. Concurrent requests for
 * the same text share one rendering, so it continues when one of the visitors leaves.
 */
export class RenderedTexts {
  readonly bytesMax = LIMITS.bytesMax
  readonly #cache = new SharedCache(
    LIMITS,
    ({ html, excerpt, image = '' }: Rendered) => 2 * (html.length + excerpt.length + image.length),
  )
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
    if (found === undefined) return { html: '', excerpt: '', image: undefined }
    const { content, content_plain } = found
    const sizeOf = await findImageSizes(this.#db, centre.orgId, content)
    const rendered = sizeImages(await markdownHtml(this.#markdown, centre.orgId, content), sizeOf)
    const [, image] = FIRST_IMAGE.exec(rendered) ?? []
    return {
      html: rendered,
      excerpt: excerpt(content_plain, EXCERPT_LENGTH_MAX),
      image: image?.replaceAll('&amp;', '&'),
    }
  }
}
