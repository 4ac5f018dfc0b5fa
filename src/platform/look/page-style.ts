import { readStyle } from './style-sheet.ts'
import type { Token } from './tokens.ts'

/** Comes first in every style sheet of our own. */
export const COMMON_STYLE = readStyle(import.meta.url, 'styles/common.css')
/** The same for pages with icons. */
export const COMMON_STYLE_WITH_ICONS = COMMON_STYLE + readStyle(import.meta.url, 'styles/icons.css')

/** The style of `languageSwitch`. */
export const LANGUAGES_STYLE = readStyle(import.meta.url, 'styles/languages.css')
/** The style of `scannedChip`. */
export const SCANNED_STYLE = readStyle(import.meta.url, 'styles/scanned.css')

const BASE =
  COMMON_STYLE_WITH_ICONS +
  readStyle(import.meta.url, 'styles/base.css', 'styles/header.css', 'styles/lists.css', 'styles/footer.css') +
  LANGUAGES_STYLE +
  SCANNED_STYLE
const PROSE = readStyle(import.meta.url, 'styles/prose.css')
const PRINT = readStyle(import.meta.url, 'styles/print.css')

/** The colours that pages to read need. Declare them before their style sheet: when printing, it replaces them. */
export const PAGE_TOKENS: readonly Token[] = [
  ...(['page', 'card', 'text', 'muted', 'line', 'mark', 'sign', 'fill', 'ink', 'rim', 'soft'] as const),
  ...(['sky', 'hill', 'wood', 'glow', 'cloud'] as const),
]

/** The style of pages to read: help centres and documentation. */
export const PAGE_STYLE = BASE + PROSE + PRINT

/** The same for pages without such a text, which are smaller without its rules. */
export const LIST_STYLE = BASE + PRINT
