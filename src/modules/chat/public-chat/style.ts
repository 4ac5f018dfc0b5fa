import {
  COMMON_STYLE_WITH_ICONS,
  LANGUAGES_STYLE,
  readStyle,
  SCANNED_STYLE,
  Themes,
  type Token,
} from '../../../platform/look/index.ts'

const TOKENS: readonly Token[] = [
  ...(['page', 'card', 'text', 'muted', 'line', 'mark', 'bad'] as const),
  ...(['sign', 'fill', 'ink', 'rim', 'soft'] as const),
]
const STYLE =
  COMMON_STYLE_WITH_ICONS +
  readStyle(import.meta.url, 'styles/base.css', 'styles/messages.css', 'styles/compose.css') +
  LANGUAGES_STYLE +
  SCANNED_STYLE

/** Style sheets of chats, by the brand of the chatbot. */
export const createThemes = (): Themes => new Themes(TOKENS, STYLE)
