import { implement } from '../../../platform/http/index.ts'
import { events } from './contract.ts'
import { listEvents } from './service.ts'

export const eventRoutes = implement(events, {
  list: (ctx, { query, after }) => listEvents(ctx, query, after),
})
