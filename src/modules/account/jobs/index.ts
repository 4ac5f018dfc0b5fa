export {
  createCatalogue,
  type JobCatalogue,
  type JobKind,
  type JobOutcome,
  type JobTarget,
  type Piece,
} from './declaration.ts'
export { countUnfinishedJobs, endLeases, selectDueOrganisation as findDueOrganisation } from './due-queries.ts'
export { jobRoutes } from './routes.ts'
export { JOBS_TOPIC, listChangedItems, lockJob, startJob } from './start.ts'
export {
  type ClaimedJob,
  claimJob,
  isStillClaimed,
  releaseJob,
  retryJob,
  stopJob,
  storePiece,
  toJobError,
} from './work.ts'
