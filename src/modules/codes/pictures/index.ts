export { toPicture } from './service.ts'
