import { decodeCursor } from '../cursors.ts'
import type { Exchange, Services, Step } from '../exchange.ts'

export const decodePosition: Step = (exchange, services) => {
  if (exchange.route.operation.declared.cursor === undefined) return
  const cursor = exchange.query?.cursor
  if (typeof cursor === 'string') return decode(cursor, exchange, services)
}

async function decode(cursor: string, exchange: Exchange, { keyring, database }: Services): Promise<void> {
  exchange.after = await decodeCursor(keyring, database.read, exchange.nowMs, cursorScope(exchange), cursor)
}

/**
 * A cursor is valid for the list that issued it, with the same filters. The limit may change from page to page, and the
 * sort order is always the same.
 */
export function cursorScope({ caller, route, params, query = {} }: Exchange) {
  const { cursor: _cursor, limit: _limit, sort: _sort, ...filters } = query
  return { orgId: caller.orgId, operationId: route.operation.id, filters: { ...params, ...filters } }
}
