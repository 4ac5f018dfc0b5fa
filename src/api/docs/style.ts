import { createHash } from 'node:crypto'
import { brandColours, PAGE_STYLE, readStyle } from '../../platform/look/index.ts'

/** All pages share it as a file, so that a browser loads it once. */
export const STYLE = brandColours(null) + PAGE_STYLE + readStyle(import.meta.url, 'docs.css')

export const STYLE_PATH = `/docs/style.css?v=${createHash('sha256').update(STYLE).digest('base64url').slice(0, 16)}`
