export { changeObjects, createObject } from './create.ts'
export { objectEvents } from './events.ts'
export { listGs1KeyPrefixes } from './gs1-key-prefixes.ts'
export { objectRoutes } from './routes.ts'
