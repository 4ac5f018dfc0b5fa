import { createCatalogue } from '../modules/account/jobs/index.ts'
import { destinationChangeJobs } from '../modules/codes/destination-changes/index.ts'

type JobSettings = Parameters<typeof destinationChangeJobs>[0]

/** Every kind of job that can be carried out. A family that has long work has a line here. */
export const createJobCatalogue = (settings: JobSettings) => createCatalogue([destinationChangeJobs(settings)])
