export { AREAS, type Area, SCOPES } from './contract.ts'
