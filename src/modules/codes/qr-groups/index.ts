export { qrGroupEvents } from './events.ts'
export { qrGroupRoutes } from './routes.ts'
export { createGroup, findGroup, groupOwner } from './service.ts'
