export { KnownAddresses } from './service.ts'
