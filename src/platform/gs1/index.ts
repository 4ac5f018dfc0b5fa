export { digitalLinkPath, parseDigitalLink } from './digital-link.ts'
export { isGtinForm, normaliseGtin } from './gtin.ts'
