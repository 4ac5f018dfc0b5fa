export { SLUG_PATTERN } from './contract.ts'
export {
  claimSlugs,
  findOwnTarget,
  gs1KeySlug,
  loadTargets,
  productSlug,
  publicSlugOf,
  publishTarget,
  publishTargets,
  retireTarget,
  retireTargets,
  TARGETS_TOPIC,
  type Target,
  type TargetRule,
  type TargetSource,
  targetKey,
  toTargetRule,
} from './service.ts'
