export { INSUFFICIENT_CREDITS } from './contract.ts'
