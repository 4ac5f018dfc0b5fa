import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { DARK, DEFAULT_COLOR, LIGHT, shadesOf } from './accent.ts'
import { STYLE } from './style.ts'

/** What a knowledge base's colour makes of the pages. */
export interface Theme {
  /** The style sheet's own colours. */
  colors: string
  /** Allows these two style sheets and pictures; nothing else is loaded, and nothing runs. */
  policy: string
}

const THEMES_MAX = 1000
const HEX = /^#[0-9a-f]{6}$/i

export function createThemes(): (color: string | null) => Theme {
  const styleHash = hashOf(STYLE)
  const themes = new LRUCache<string, Theme>({ max: THEMES_MAX })
  return (color) => {
    const chosen = color !== null && HEX.test(color) ? color.toLowerCase() : DEFAULT_COLOR
    const kept = themes.get(chosen)
    if (kept !== undefined) return kept
    const [light, dark] = [shadesOf(chosen, LIGHT), shadesOf(chosen, DARK)]
    const colors =
      `:root{--accent:${light.accent};--soft:${light.soft}}` +
      `@media (prefers-color-scheme:dark){:root{--accent:${dark.accent};--soft:${dark.soft}}}`
    const policy =
      `default-src 'none'; style-src '${styleHash}' '${hashOf(colors)}'; img-src https: data: 'self'; ` +
      "form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
    const theme = { colors, policy }
    themes.set(chosen, theme)
    return theme
  }
}

const hashOf = (style: string): string => `sha256-${createHash('sha256').update(style).digest('base64')}`
