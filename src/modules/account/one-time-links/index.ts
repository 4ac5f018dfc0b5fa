export { createLink, findLink, takeLink } from './service.ts'
