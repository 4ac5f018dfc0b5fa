export { objectEvents } from './events.ts'
export { objectRoutes } from './routes.ts'
