export { digitalLinkPath, parseDigitalLink } from './digital-link.ts'
export { normaliseGtin } from './gtin.ts'
