export { type Brand, declareRadius, declareTokens, NO_BRAND, SHAPE_CONTRAST_MIN, schemeOf, toBrand } from './brand.ts'
export { CONTRAST_MIN, contrast, inkOn, mix, parseHex, type Rgb, toHex } from './colours.ts'
export { signpostIcon } from './icon.ts'
export { logoImage, type ShownThing, scannedChip } from './identity.ts'
export { type LanguageLink, languageSwitch, linkToSwitch } from './language-switch.ts'
export {
  COMMON_STYLE,
  COMMON_STYLE_WITH_ICONS,
  LANGUAGES_STYLE,
  LIST_STYLE,
  PAGE_STYLE,
  PAGE_TOKENS,
  SCANNED_STYLE,
} from './page-style.ts'
export { BLACK, darkPartner, isLightInk, readableInk, shade, tint, WHITE } from './shades.ts'
export { readStyle, styleTag } from './style-sheet.ts'
export { sourceOf, type Theme, Themes } from './themes.ts'
export { DARK, LIGHT, type Token } from './tokens.ts'
