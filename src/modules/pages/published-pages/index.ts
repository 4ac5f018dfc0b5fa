export { findPublicPage, type PublicPage } from './service.ts'
