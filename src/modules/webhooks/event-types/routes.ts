import { implement } from '../../../platform/http/index.ts'
import { eventTypes as operations } from './contract.ts'
import { type EventTypes, listEventTypes } from './service.ts'

export const eventTypeRoutes = (eventTypes: EventTypes) =>
  implement(operations, { list: async (_ctx, { query }) => listEventTypes(eventTypes, query) })
