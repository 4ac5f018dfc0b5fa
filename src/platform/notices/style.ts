import { LANGUAGES_STYLE, readStyle, SCANNED_STYLE, Themes, type Token } from '../look/index.ts'

const TOKENS: readonly Token[] = [
  ...(['page', 'card', 'text', 'muted', 'line', 'sign', 'fill', 'ink', 'rim'] as const),
  ...(['sky', 'hill', 'wood', 'glow', 'cloud'] as const),
]

/** Style sheets by the brand of the sender. */
export const THEMES = new Themes(TOKENS, LANGUAGES_STYLE + SCANNED_STYLE + readStyle(import.meta.url, 'notice.css'))
