import { createHash } from 'node:crypto'
import { ByteCache } from '../../platform/bounded/index.ts'
import { pagePolicy } from '../../platform/http/security-headers.ts'
import { accentShades, DARK, DEFAULT_COLOR, LIGHT } from './accent.ts'
import { STYLE } from './style.ts'

/** The colours of a knowledge base, derived from its primary colour. */
export interface Theme {
  /** A style sheet that sets the colour variables. */
  colors: string
  /** The Content-Security-Policy: allows the two style sheets and images, and nothing else. */
  policy: string
}

const BYTES_MAX = 1024 * 1024
const HEX = /^#[0-9a-f]{6}$/i

/** Caches themes by colour. */
export class Themes {
  readonly bytesMax = BYTES_MAX
  readonly #styleHash = hashOf(STYLE)
  readonly #known = new ByteCache<Theme>(BYTES_MAX, ({ colors, policy }) => 2 * (colors.length + policy.length))

  get usedBytes(): number {
    return this.#known.usedBytes
  }

  get(color: string | null): Theme {
    const base = color !== null && HEX.test(color) ? color.toLowerCase() : DEFAULT_COLOR
    const known = this.#known.get(base)
    if (known !== undefined) return known
    const [light, dark] = [accentShades(base, LIGHT), accentShades(base, DARK)]
    const colors =
      `:root{--accent:${light.accent};--soft:${light.soft}}` +
      `@media (prefers-color-scheme:dark){:root{--accent:${dark.accent};--soft:${dark.soft}}}`
    const policy = pagePolicy(
      [`style-src '${this.#styleHash}' '${hashOf(colors)}'`, "img-src https: data: 'self'"],
      "'self'",
    )
    const theme = { colors, policy }
    this.#known.set(base, theme)
    return theme
  }
}

const hashOf = (style: string): string => `sha256-${createHash('sha256').update(style).digest('base64')}`
