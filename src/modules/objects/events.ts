import { resourceEvents } from '../../platform/outbox.ts'
import { TaggedObject } from './contract.ts'

export const objectEvents = resourceEvents('object', TaggedObject)
