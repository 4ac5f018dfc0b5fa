import { decodeCursor } from '../cursors.ts'
import type { Exchange, Services, Step } from '../exchange.ts'

/** Where a cursor list goes on. */
export const decodePosition: Step = (exchange, services) => {
  if (exchange.route.operation.declared.cursor === undefined) return
  const cursor = exchange.query?.cursor
  if (typeof cursor === 'string') return decode(cursor, exchange, services)
}

async function decode(cursor: string, exchange: Exchange, { keyring, database }: Services): Promise<void> {
  exchange.after = await decodeCursor(keyring, database.read, exchange.nowMs, cursorScope(exchange), cursor)
}

/**
 * A cursor is good for the list that gave it out, with the same filters. How many items to a page is free, and a stream
 * has one order only.
 */
export function cursorScope({ caller, route, params, query = {} }: Exchange) {
  const { cursor: _cursor, limit: _limit, sort: _sort, ...filters } = query
  return { orgId: caller.orgId, operationId: route.operation.id, filters: { ...params, ...filters } }
}
