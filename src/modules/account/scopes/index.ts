export { AREAS, type Area, EVERYTHING, NAMED_SCOPES, SCOPE_MEANINGS, SCOPES } from './contract.ts'
export { requireManage, requireNamedScope } from './service.ts'
