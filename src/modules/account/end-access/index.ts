export { endAccess } from './service.ts'
