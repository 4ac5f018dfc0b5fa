import { COMMON_STYLE_WITH_ICONS, readStyle } from '../../../../platform/look/index.ts'
import type { BlockType } from '../../blocks/index.ts'

const read = (name: string): string => readStyle(import.meta.url, `styles/${name}.css`)

const BASE = COMMON_STYLE_WITH_ICONS + read('base')
const FORM = read('form')

/** The style of the page that a visitor sees after sending a form. */
export const SENT_STYLE = BASE + read('sent')

/** The style of the page that shows what became of a form. */
export const RECEIPT_STYLE = BASE + read('receipt')

/** Moves the gradient behind a page. */
export const DRIFT_STYLE = read('drift')

const PARTS: { css: string; types: readonly BlockType[] }[] = [
  { css: read('prose'), types: ['text'] },
  { css: read('figure'), types: ['image', 'video'] },
  { css: read('video'), types: ['video'] },
  { css: read('divider'), types: ['divider'] },
  { css: read('banner'), types: ['banner'] },
  { css: read('card'), types: ['contact', 'file'] },
  { css: read('select'), types: ['form_select'] },
  { css: read('options'), types: ['form_radio', 'form_checkbox', 'form_media'] },
  { css: read('switch'), types: ['form_switch'] },
  { css: read('rating'), types: ['form_rating'] },
  { css: read('media'), types: ['form_media'] },
]

/** The rules that a page with these blocks needs. */
export const styleFor = (types: ReadonlySet<BlockType>): string =>
  [
    BASE,
    ...([...types].some((type) => type.startsWith('form_')) ? [FORM] : []),
    ...PARTS.filter((part) => part.types.some((type) => types.has(type))).map(({ css }) => css),
  ].join('')
