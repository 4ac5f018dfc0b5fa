import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { accentShades, DARK, DEFAULT_COLOR, LIGHT } from './accent.ts'
import { STYLE } from './style.ts'

/** The colours of a knowledge base, derived from its primary colour. */
export interface Theme {
  /** A style sheet that sets the colour variables. */
  colors: string
  /** The Content-Security-Policy: allows the two style sheets and images, and nothing else. */
  policy: string
}

const THEMES_MAX = 1000
const HEX = /^#[0-9a-f]{6}$/i

export function createThemes(): (color: string | null) => Theme {
  const styleHash = hashOf(STYLE)
  const themes = new LRUCache<string, Theme>({ max: THEMES_MAX })
  return (color) => {
    const base = color !== null && HEX.test(color) ? color.toLowerCase() : DEFAULT_COLOR
    const cached = themes.get(base)
    if (cached !== undefined) return cached
    const [light, dark] = [accentShades(base, LIGHT), accentShades(base, DARK)]
    const colors =
      `:root{--accent:${light.accent};--soft:${light.soft}}` +
      `@media (prefers-color-scheme:dark){:root{--accent:${dark.accent};--soft:${dark.soft}}}`
    const policy =
      `default-src 'none'; style-src '${styleHash}' '${hashOf(colors)}'; img-src https: data: 'self'; ` +
      "form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
    const theme = { colors, policy }
    themes.set(base, theme)
    return theme
  }
}

const hashOf = (style: string): string => `sha256-${createHash('sha256').update(style).digest('base64')}`
