import type { JobKind } from '../../account/jobs/index.ts'
import { changeJob } from './change-job.ts'
import { type OwnerSettings, ownerChanges } from './owners.ts'
import { undoJob } from './undo-job.ts'

/** The jobs of this family. */
export function destinationChangeJobs(settings: OwnerSettings): JobKind[] {
  const prepare = ownerChanges(settings)
  return [changeJob(prepare), undoJob(prepare)]
}
