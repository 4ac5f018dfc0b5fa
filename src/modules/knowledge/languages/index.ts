export { LANGUAGES, type Language } from './contract.ts'
