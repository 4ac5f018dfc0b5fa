export { createObject } from './create.ts'
export { objectEvents } from './events.ts'
export { objectRoutes } from './routes.ts'
