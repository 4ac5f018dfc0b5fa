import {
  type CursorPage,
  cursorList,
  type OffsetPage,
  type OffsetQuery,
  offsetList,
  withPageDefaults,
} from '../contract/pagination.ts'
import { FileResponse, Updated } from '../contract/responses.ts'
import type { ApiError } from '../errors/index.ts'
import { encodeCursor } from './cursors.ts'
import { matchesEtag } from './etag.ts'
import type { Exchange, HttpResponse, Services } from './exchange.ts'
import { cursorScope } from './steps/decode-position.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Turns the result of a handler into a response. Lists get their envelope here. */
export function toResponse(result: unknown, exchange: Exchange, services: Services): HttpResponse {
  const { declared, successStatus } = exchange.route.operation
  const { requestId } = exchange
  if (successStatus === 204) return { status: 204, body: '', requestId }
  if (result instanceof FileResponse) return toFile(result, exchange)
  const existed = result instanceof Updated
  const isOffset = declared.offset !== undefined && 'total' in (result as object)
  const body = existed
    ? result.resource
    : isOffset
      ? toOffsetList(result as OffsetPage<unknown>, exchange)
      : declared.cursor
        ? toCursorList(result as CursorPage<unknown>, exchange, services)
        : result
  if (services.checkResponse !== undefined) {
    const { offset, cursor, ok, created } = declared
    const schema =
      isOffset && offset ? offsetList(offset) : cursor ? cursorList(cursor) : existed ? ok : (created ?? ok)
    if (schema !== undefined) services.checkResponse(schema, body)
  }
  return { status: existed ? 200 : successStatus, body: JSON.stringify(body), requestId }
}

export const toErrorResponse = (error: ApiError, requestId: string): HttpResponse => ({
  status: error.status,
  body: JSON.stringify(error.toBody(requestId)),
  requestId,
  errorCode: error.code,
})

/** Sends 304 if the caller already has this version of the file. */
function toFile({ mediaType, version, make }: FileResponse, { sent, headers, requestId }: Exchange): HttpResponse {
  const etag = `"${version}"`
  // Clients must revalidate every time: the file is private and may change at any moment.
  Object.assign(headers, { etag, 'cache-control': 'private, no-cache', vary: 'Accept' })
  return matchesEtag(sent.headers['if-none-match'], etag)
    ? { status: 304, body: '', requestId }
    : { status: 200, body: make(), mediaType, requestId }
}

function toOffsetList({ data, total }: OffsetPage<unknown>, { query }: Exchange): object {
  const { page, page_size } = withPageDefaults((query ?? {}) as unknown as OffsetQuery)
  return { object: 'list', total, page, page_size, data }
}

function toCursorList({ data, next }: CursorPage<unknown>, exchange: Exchange, { keyring }: Services): object {
  const next_cursor = next === null ? null : encodeCursor(keyring, cursorScope(exchange), next)
  return { object: 'list', has_more: next !== null, next_cursor, data }
}
