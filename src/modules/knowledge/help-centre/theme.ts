import { createHash } from 'node:crypto'
import { ByteCache } from '../../../platform/bounded/index.ts'
import { pagePolicy } from '../../../platform/http/server/security-headers.ts'
import { brandColours, LIST_STYLE, PAGE_STYLE } from '../../../platform/look/index.ts'

/** The colours of a knowledge base, derived from its primary colour. */
export interface Theme {
  /** A style sheet that sets the colour variables. It comes first: when printing, the other one replaces them. */
  colors: string
  /** The Content-Security-Policy: allows its style sheets and images, and nothing else. */
  policy: string
}

const BYTES_MAX = 1024 * 1024

/** Caches themes by colour. */
export class Themes {
  readonly bytesMax = BYTES_MAX
  readonly #styles = `'${hashOf(PAGE_STYLE)}' '${hashOf(LIST_STYLE)}'`
  readonly #known = new ByteCache<Theme>(BYTES_MAX, ({ colors, policy }) => 2 * (colors.length + policy.length))

  get usedBytes(): number {
    return this.#known.usedBytes
  }

  get(color: string | null): Theme {
    const key = color?.toLowerCase() ?? ''
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const colors = brandColours(color)
    const policy = pagePolicy(
      [`style-src ${this.#styles} '${hashOf(colors)}'`, "img-src https: data: 'self'"],
      "'self'",
    )
    const theme = { colors, policy }
    this.#known.set(key, theme)
    return theme
  }
}

const hashOf = (style: string): string => `sha256-${createHash('sha256').update(style).digest('base64')}`
