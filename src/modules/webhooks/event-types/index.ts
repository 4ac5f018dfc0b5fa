export { eventTypeRoutes } from './routes.ts'
export { describeEventTypes, type EventTypes } from './service.ts'
