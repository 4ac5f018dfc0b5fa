export { imageHandlers } from './service.ts'
