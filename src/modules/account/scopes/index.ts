export { AREAS } from './contract.ts'
