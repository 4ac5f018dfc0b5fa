import { createHash } from 'node:crypto'
import { ByteCache } from '../../../platform/bounded/index.ts'
import { brandColours, COMMON_STYLE_WITH_ICONS, declareColours, readStyle } from '../../../platform/look/index.ts'

const STYLE =
  declareColours('page', 'card', 'text', 'muted', 'line', 'mark', 'bad') +
  COMMON_STYLE_WITH_ICONS +
  readStyle(import.meta.url, 'styles/base.css', 'styles/messages.css', 'styles/compose.css')

const BYTES_MAX = 512 * 1024

/** A style sheet and the part of the Content-Security-Policy that allows it. */
export interface Theme {
  css: string
  source: string
}

/** Caches style sheets by the colour of the chatbot. */
export class Themes {
  readonly bytesMax = BYTES_MAX
  readonly #known = new ByteCache<Theme>(BYTES_MAX, ({ css }) => 2 * css.length)

  get usedBytes(): number {
    return this.#known.usedBytes
  }

  get(color: string | null): Theme {
    const key = color?.toLowerCase() ?? ''
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const css = STYLE + brandColours(color)
    const theme = { css, source: `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'` }
    this.#known.set(key, theme)
    return theme
  }
}
