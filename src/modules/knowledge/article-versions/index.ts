export type { VersionSettings } from './diff.ts'
export { articleVersionRoutes } from './routes.ts'
export { createDiffer } from './text-diff/index.ts'
