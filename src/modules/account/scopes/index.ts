export { AREAS, type Area, SCOPE_MEANINGS, SCOPES } from './contract.ts'
