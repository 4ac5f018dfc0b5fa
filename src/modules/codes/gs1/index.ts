export { PRIMARY_KEYS } from './ai-table.ts'
export { isAiValue, isAssignedAi } from './ai-values.ts'
export { isCompressedLink } from './compressed-link.ts'
export { LINK_TYPES, type LinkType } from './contract.ts'
export {
  type DigitalLink,
  digitalLinkPath,
  linkPath,
  normaliseGs1Key,
  type ProductQualifiers,
  parseDigitalLink,
  startsWithPrimaryKey,
  toProductQualifiers,
} from './digital-link.ts'
export { normaliseGtin } from './gtin.ts'
