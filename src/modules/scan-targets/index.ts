export { SLUG_PATTERN } from './contract.ts'
export {
  type CodeSettings,
  claimSlugs,
  findOwnTarget,
  loadTargets,
  productSlug,
  publishTarget,
  type Rule,
  retireTarget,
  type Subject,
  TARGETS_TOPIC,
  type Target,
  targetKey,
  toRule,
} from './service.ts'
