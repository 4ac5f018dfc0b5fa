export type { TargetSource } from '../versions/index.ts'
export {
  CHOSEN_SLUG,
  type CodeAddress,
  DOMAIN_SLUG,
  DOMAIN_SLUG_LENGTH_MAX,
  parseCodeAddress,
  SLUG_PATTERN,
} from './contract.ts'
export { targetKey } from './keys.ts'
export { DrawnSlugTaken } from './queries.ts'
export { keepSlugsOf } from './retired-slugs.ts'
export {
  claimKeys,
  claimSlugs,
  domainNamespace,
  findOwnTarget,
  findTakenKeys,
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
} from './service.ts'
export {
  findSetupParts,
  refsInRules,
  type ScheduledSetup,
  type SetupDestination,
  type SetupRules,
  type TargetSetup,
  toSetupRules,
  toTargetSetup,
} from './setup.ts'
