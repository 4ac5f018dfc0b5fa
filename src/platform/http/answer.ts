import { type CursorPage, cursorList, type OffsetPage, type OffsetQuery, offsetList } from '../contract/pagination.ts'
import { encodeCursor } from '../cursors.ts'
import type { Answer, Exchange, Services } from './exchange.ts'
import { cursorScope } from './steps/decode-position.ts'

/** What a handler answered, as status and JSON; lists get their envelope here. */
export function toAnswer(result: unknown, exchange: Exchange, services: Services): Answer {
  const { declared, successStatus } = exchange.route.operation
  const { requestId } = exchange
  if (successStatus === 204) return { status: 204, body: '', requestId }
  const body = declared.offset
    ? toOffsetList(result as OffsetPage<unknown>, exchange)
    : declared.cursor
      ? toCursorList(result as CursorPage<unknown>, exchange, services)
      : result
  if (services.checkAnswer !== undefined) {
    const { offset, cursor, ok, created } = declared
    const schema = offset ? offsetList(offset) : cursor ? cursorList(cursor) : (ok ?? created)
    if (schema !== undefined) services.checkAnswer(schema, body)
  }
  return { status: successStatus, body: JSON.stringify(body), requestId }
}

function toOffsetList({ data, total }: OffsetPage<unknown>, { query }: Exchange): object {
  const { page, page_size } = query as unknown as OffsetQuery
  return { object: 'list', total, page, page_size, data }
}

function toCursorList({ data, next }: CursorPage<unknown>, exchange: Exchange, { keyring }: Services): object {
  const next_cursor = next === null ? null : encodeCursor(keyring, cursorScope(exchange), next)
  return { object: 'list', has_more: next !== null, next_cursor, data }
}
