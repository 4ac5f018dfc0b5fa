export type { Lead, Status } from './contract.ts'
export {
  findAddress,
  type LeadColumns,
  requireAddress,
  toDestination,
  toLead,
  toLeadColumns,
  toProductDestination,
} from './service.ts'
export { settleStatus } from './status.ts'
