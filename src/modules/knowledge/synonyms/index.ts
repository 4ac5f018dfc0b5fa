export { synonymRoutes } from './routes.ts'
export { findSynonyms, findSynonymsDigest, type StoredSynonyms } from './service.ts'
