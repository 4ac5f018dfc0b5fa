import { COMMON_STYLE, declareColours, readStyle } from '../../../platform/look/index.ts'

export const STYLE =
  declareColours('page', 'card', 'text', 'muted', 'line', 'sign', 'fill', 'ink', 'mark', 'bad') +
  COMMON_STYLE +
  readStyle(import.meta.url, 'styles/base.css', 'styles/lists.css')
