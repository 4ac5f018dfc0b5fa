export { qrGroupEvents } from './events.ts'
export { qrGroupRoutes } from './routes.ts'
export { createGroup, findGroup } from './service.ts'
