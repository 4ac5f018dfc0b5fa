export { drawForPage } from './drawing/index.ts'
export { type ImageSource, imageHandlers } from './service.ts'
