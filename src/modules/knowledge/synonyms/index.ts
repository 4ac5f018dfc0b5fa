export { findEverydaySynonyms } from './everyday.ts'
export { type SynonymSettings, selectSynonymSettings } from './queries.ts'
export { synonymRoutes } from './routes.ts'
export { findSynonyms, type StoredSynonyms } from './service.ts'
