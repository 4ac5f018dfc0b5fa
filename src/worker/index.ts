export { startRetention } from './retention.ts'
