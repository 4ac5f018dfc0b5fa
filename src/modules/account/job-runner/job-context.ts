import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { ClaimedJob } from '../jobs/index.ts'

/** The context for code that requests share with jobs. A piece of a job has its transaction, so this one cannot write. */
export function jobContext(
  { read, readLong }: Database,
  { id, orgId, actor }: ClaimedJob,
  now: Timestamp,
  log: Logger,
): Context {
  const { signal } = new AbortController()
  const write = () => Promise.reject(new Error('a job writes in the transaction of its piece'))
  return {
    orgId,
    actor,
    now,
    log: log.child({ org_id: orgId, job_id: id }),
    signal,
    read,
    readLong,
    write,
    writeInPieces: write,
    pause: async () => {},
    get credential(): never {
      throw new Error('a job has no credential')
    },
  }
}
