export { RulesInput } from './contract.ts'
export { checkRules, requireRuleDestinations, ruleHandlers, stateChanges, toRuleList } from './service.ts'
export type { RuleSettings } from './warnings.ts'
