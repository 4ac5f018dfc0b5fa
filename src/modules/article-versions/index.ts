export type { VersionSettings } from './diff.ts'
export { articleVersionRoutes } from './routes.ts'
