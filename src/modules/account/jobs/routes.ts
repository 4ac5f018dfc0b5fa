import { implement } from '../../../platform/http/index.ts'
import { jobs } from './contract.ts'
import { cancelJob, getJob, listJobItems, listJobs } from './service.ts'

export const jobRoutes = implement(jobs, {
  list: (ctx, { query, after }) => listJobs(ctx, query, after),
  get: (ctx, { params }) => getJob(ctx, params.id),
  listItems: (ctx, { params, query, after }) => listJobItems(ctx, params.id, query, after),
  cancel: (ctx, { params }) => cancelJob(ctx, params.id),
})
