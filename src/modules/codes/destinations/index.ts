export type { DestinationRef, Place, Status } from './contract.ts'
export {
  destinationKey,
  findDestinationUrl,
  findDestinationUrls,
  findKnowledgeBases,
  findObjectSlugs,
  fromDestination,
  impliedDestination,
  requireDestination,
  requireDestinationUrl,
  type SentDestination,
  type TargetDestinationColumns,
  toDestination,
  toDestinationColumns,
  toDestinationRef,
  toProductDestination,
  unknownDestination,
} from './service.ts'
export { settleDestination, settleState } from './status.ts'
