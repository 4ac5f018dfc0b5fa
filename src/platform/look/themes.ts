import { createHash } from 'node:crypto'
import { ByteCache } from '../bounded/byte-cache.ts'
import { type Brand, declareTokens } from './brand.ts'
import type { Token } from './tokens.ts'

/** The style sheet of a brand. */
export interface Theme {
  css: string
  /** Allows it in a Content-Security-Policy. */
  source: string
}

const BYTES_MAX = 512 * 1024

/** Style sheets by brand. `rest` follows the colours in each of them. */
export class Themes {
  readonly bytesMax = BYTES_MAX
  readonly #names: readonly Token[]
  readonly #rest: string
  readonly #known = new ByteCache<Theme>(BYTES_MAX, ({ css }) => 2 * css.length)

  constructor(names: readonly Token[], rest = '') {
    this.#names = names
    this.#rest = rest
  }

  get usedBytes(): number {
    return this.#known.usedBytes
  }

  get(brand: Brand): Theme {
    const { primary_color, corner_radius, light_background, dark_background } = brand
    const key = [primary_color, corner_radius, light_background, dark_background].join(' ')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const css = declareTokens(brand, this.#names) + this.#rest
    const theme = { css, source: sourceOf(css) }
    this.#known.set(key, theme)
    return theme
  }
}

/** Allows a style sheet in a Content-Security-Policy. */
export const sourceOf = (css: string): string => `'sha256-${createHash('sha256').update(css).digest('base64')}'`
