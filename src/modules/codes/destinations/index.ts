export type { DestinationRef, Status } from './contract.ts'
export {
  type DestinationColumns,
  findDestinationUrl,
  requireDestinationUrl,
  toDestination,
  toDestinationColumns,
  toDestinationRef,
  toProductDestination,
} from './service.ts'
export { settleState } from './status.ts'
