import { type Actor, withAudit } from '../platform/audit/index.ts'
import { type Clock, timestamp } from '../platform/clock/index.ts'
import type { Database } from '../platform/db/index.ts'
import type { Context } from '../platform/http/index.ts'
import type { OrgId } from '../platform/ids/index.ts'
import { createLogger } from '../platform/telemetry/logging.ts'

/** Who is responsible for what a command changes. */
export const OPERATOR: Actor = { kind: 'command_line', id: null, name: 'Command line', address: null, userAgent: null }

/**
 * The context for services that an operator's command calls on behalf of an organisation, without a request. Each call of
 * the returned function takes the current time as `now`.
 */
export function operatorContext({ read, readLong, write }: Database, orgId: OrgId, clock: Clock): () => Context {
  const log = createLogger('silent')
  const { signal } = new AbortController()
  return () => ({
    orgId,
    now: timestamp(clock()),
    log,
    signal,
    read,
    readLong,
    write: (work) => write((tx) => withAudit(tx, orgId, OPERATOR, timestamp(clock()), work), orgId),
    get credential(): never {
      throw new Error('an operator command has no credential')
    },
  })
}
