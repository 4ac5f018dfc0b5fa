import { resourceEvents } from '../../../platform/outbox/index.ts'
import { Page } from './contract.ts'

/** Leaves out blocks and translations: they can be longer than an event. Their changes are in `changes`, if they fit. */
export const pageEvents = resourceEvents('page', Page)
