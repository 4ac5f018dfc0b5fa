export { drawForPage } from './drawing/index.ts'
export { type Logos, UploadedLogos } from './logos.ts'
export { codeFileName, type ImageSource, imageHandlers } from './service.ts'
