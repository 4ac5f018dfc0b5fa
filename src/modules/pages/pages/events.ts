import { resourceEvents } from '../../../platform/outbox/index.ts'
import { Page } from './contract.ts'

/** Without blocks: they can be longer than an event. A change of the blocks is in `changes`, if it fits. */
export const pageEvents = resourceEvents('page', Page)
