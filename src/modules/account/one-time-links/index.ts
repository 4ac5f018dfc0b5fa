export { createLink, dropLinks, findLink, takeLink } from './service.ts'
