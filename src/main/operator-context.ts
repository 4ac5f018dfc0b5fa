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
export function operatorContext(
  database: Database,
  orgId: OrgId,
  clock: Clock,
  actor: Actor = OPERATOR,
): () => Context {
  const { read, readLong } = database
  const log = createLogger('silent')
  const { signal } = new AbortController()
  const writeAs =
    (how: 'write' | 'writeInPieces'): Context['write'] =>
    (work) =>
      database[how]((tx) => withAudit(tx, orgId, actor, timestamp(clock()), work), orgId)
  return () => ({
    orgId,
    actor,
    now: timestamp(clock()),
    log,
    signal,
    read,
    readLong,
    write: writeAs('write'),
    writeInPieces: writeAs('writeInPieces'),
    pause: async () => {},
    get credential(): never {
      throw new Error('an operator command has no credential')
    },
  })
}
