export { SLUG_PATTERN } from './contract.ts'
export {
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
  type TargetKind,
  targetKey,
  toRule,
} from './service.ts'
