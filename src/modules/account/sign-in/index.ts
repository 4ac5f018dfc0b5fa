export { SignIn } from './service.ts'
