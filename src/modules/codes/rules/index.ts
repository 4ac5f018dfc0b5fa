export { RulesInput } from './contract.ts'
export { checkRules, requireRuleDestinations, ruleHandlers, toRuleList } from './service.ts'
export type { RuleSettings } from './warnings.ts'
