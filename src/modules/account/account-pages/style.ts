import { hash } from 'node:crypto'
import { COMMON_STYLE, declareTokens, NO_BRAND, readStyle } from '../../../platform/look/index.ts'

export const STYLE =
  declareTokens(NO_BRAND, ['page', 'card', 'text', 'muted', 'line', 'sign', 'fill', 'ink', 'mark', 'bad']) +
  COMMON_STYLE +
  readStyle(import.meta.url, 'styles/base.css', 'styles/lists.css')

export const STYLE_PATH = '/account/style.css'

/** All pages share it as a file, which browsers load once. The address changes with the style. */
export const STYLE_URL = `${STYLE_PATH}?v=${hash('sha256', STYLE, 'base64url').slice(0, 12)}`
