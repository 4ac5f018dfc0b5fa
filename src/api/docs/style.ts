import { createHash } from 'node:crypto'
import { declareTokens, NO_BRAND, PAGE_STYLE, PAGE_TOKENS, readStyle } from '../../platform/look/index.ts'

/** All pages share it as a file, so that a browser loads it once. */
export const STYLE = declareTokens(NO_BRAND, PAGE_TOKENS) + PAGE_STYLE + readStyle(import.meta.url, 'docs.css')

export const STYLE_PATH = `/docs/style.css?v=${createHash('sha256').update(STYLE).digest('base64url').slice(0, 16)}`
