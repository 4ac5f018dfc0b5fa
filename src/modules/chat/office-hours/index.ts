export type { OfficeHours } from './contract.ts'
export { isOpen } from './service.ts'
