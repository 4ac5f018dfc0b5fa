export { changeEmail, EmailChanges } from './service.ts'
