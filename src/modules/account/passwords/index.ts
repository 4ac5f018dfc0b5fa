export { Passwords } from './service.ts'
