export { AREAS, SCOPES } from './contract.ts'
