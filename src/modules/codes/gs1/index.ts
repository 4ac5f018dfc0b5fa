export { PRIMARY_KEYS } from './ai-table.ts'
export { isAiValue, isAssignedAi } from './ai-values.ts'
export { compressLink, decompressLink } from './compression/index.ts'
export { ANY, LINK_TYPES, type LinkType, REST } from './contract.ts'
export {
  type DigitalLink,
  digitalLinkPath,
  isOpenEnded,
  linkPath,
  normaliseGs1Key,
  type ProductQualifiers,
  parseDigitalLink,
  startsWithPrimaryKey,
  toProductQualifiers,
} from './digital-link.ts'
export { normaliseGtin } from './gtin.ts'
export { type FillAddress, fillerFor, placeholdersOf } from './placeholders.ts'
