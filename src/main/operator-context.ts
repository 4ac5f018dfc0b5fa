import { type Clock, timestamp } from '../platform/clock/index.ts'
import type { Database } from '../platform/db/index.ts'
import type { Context } from '../platform/http/index.ts'
import type { OrgId } from '../platform/ids/index.ts'
import { createLogger } from '../platform/telemetry/logging.ts'

/**
 * What services are given where there is no request: an operator works on the data of an organisation. Each time it is
 * asked for, it is of that moment.
 */
export function operatorContext({ read, readLong, write }: Database, orgId: OrgId, clock: Clock): () => Context {
  const log = createLogger('silent')
  return () => ({
    orgId,
    now: timestamp(clock()),
    log,
    read,
    readLong,
    write,
    get credential(): never {
      throw new Error('whoever works on the data itself has shown no credential')
    },
  })
}
