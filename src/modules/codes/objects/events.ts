import { resourceEvents } from '../../../platform/outbox/index.ts'
import { TaggedObject } from './contract.ts'

export const objectEvents = resourceEvents('object', TaggedObject)
