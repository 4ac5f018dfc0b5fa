import { readStyle } from './style-sheet.ts'
import { declareColours } from './tokens.ts'

/** Comes first in every style sheet of our own. */
export const COMMON_STYLE = readStyle(import.meta.url, 'styles/common.css')
/** The same for pages with icons. */
export const COMMON_STYLE_WITH_ICONS = COMMON_STYLE + readStyle(import.meta.url, 'styles/icons.css')

const BASE =
  declareColours('page', 'card', 'text', 'muted', 'line', 'mark', 'sky', 'hill', 'wood', 'glow', 'cloud') +
  COMMON_STYLE_WITH_ICONS +
  readStyle(import.meta.url, 'styles/base.css', 'styles/header.css', 'styles/lists.css', 'styles/footer.css')
const PROSE = readStyle(import.meta.url, 'styles/prose.css')
const PRINT = readStyle(import.meta.url, 'styles/print.css')

/** The style of pages to read: help centres and documentation. Put `brandColours` before it. */
export const PAGE_STYLE = BASE + PROSE + PRINT

/** The same for pages without such a text, which are smaller without its rules. */
export const LIST_STYLE = BASE + PRINT
