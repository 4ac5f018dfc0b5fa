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
export { SLUG_PATTERN } from './slugs.ts'
