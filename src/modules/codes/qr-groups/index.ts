export { qrGroupEvents } from './events.ts'
export { qrGroupRoutes } from './routes.ts'
export { findGroup } from './service.ts'
