import { STREAM_SORT } from '../../../contract/pagination.ts'
import { decodeCursor } from '../../lists/cursors.ts'
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
 * A cursor is valid for the list that issued it, with the same filters and sort order. The limit may change from page to
 * page. The usual order may be given or not: it makes an offset list a cursor list, and so does the cursor itself.
 */
export function cursorScope({ caller, route, params, query = {} }: Exchange) {
  const { cursor: _cursor, limit: _limit, sort, ...filters } = query
  const order = sort === undefined || sort === STREAM_SORT ? {} : { sort }
  return { orgId: caller.orgId, operationId: route.operation.id, filters: { ...params, ...filters, ...order } }
}
