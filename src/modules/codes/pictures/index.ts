export { drawForPage } from './drawing/index.ts'
export { imageHandlers } from './service.ts'
