export { qrGroupEvents } from './events.ts'
export { qrGroupRoutes } from './routes.ts'
export { changeGroups, createGroup, findGroup, groupOwner } from './service.ts'
