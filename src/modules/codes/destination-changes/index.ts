export { destinationChangeJobs } from './jobs.ts'
export { destinationChangeRoutes } from './routes.ts'
