import {
  type CursorPage,
  cursorList,
  type OffsetPage,
  type OffsetQuery,
  offsetList,
  withPageDefaults,
} from '../../contract/pagination.ts'
import { type FileResponse, StreamedFile, Updated } from '../../contract/responses.ts'
import type { ApiError } from '../../errors/index.ts'
import { matchesEtag } from '../caching/etag.ts'
import { encodeCursor } from '../lists/cursors.ts'
import type { Exchange, HttpResponse, Services } from './exchange.ts'
import { cursorScope } from './steps/decode-position.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Turns the result of a handler into a response. Lists get their envelope here. */
export function toResponse(result: unknown, exchange: Exchange, services: Services): HttpResponse {
  const { declared, successStatus } = exchange.route.operation
  const { requestId } = exchange
  if (successStatus === 204) return { status: 204, body: '', requestId }
  if (result instanceof StreamedFile) return toDownload(result, exchange, services)
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
export async function toFile(file: FileResponse, { sent, headers, requestId }: Exchange): Promise<HttpResponse> {
  const { mediaType, version, make, fileName } = file
  const etag = `"${version}"`
  // Clients must revalidate every time: the file is private and may change at any moment.
  Object.assign(headers, { etag, 'cache-control': 'private, no-cache', vary: 'Accept', ...file.headers })
  if (fileName !== undefined) headers['content-disposition'] = disposition('inline', fileName)
  return matchesEtag(sent.headers['if-none-match'], etag)
    ? { status: 304, body: '', requestId }
    : { status: 200, body: await make(), mediaType, requestId }
}

/** Browsers store such a file and never run it. */
function toDownload(
  { mediaType, fileName, open, sizeBytes }: StreamedFile,
  { headers, requestId }: Exchange,
  { log }: Services,
): HttpResponse {
  Object.assign(headers, {
    'content-disposition': disposition('attachment', fileName),
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-store',
  })
  return {
    status: 200,
    body: '',
    stream: { chunks: reportFailure(open(), requestId, log), sizeBytes },
    mediaType,
    requestId,
  }
}

/** The status was sent before the failure, so the request log has it as a success. */
async function* reportFailure<T>(chunks: AsyncIterable<T>, requestId: string, log: Services['log']): AsyncGenerator<T> {
  try {
    yield* chunks
  } catch (error) {
    log.error({ request_id: requestId, err: error }, 'a download could not be completed')
    throw error
  }
}

/** Has a plain name for old clients, and the real one in UTF-8 (RFC 6266). */
function disposition(kind: 'attachment' | 'inline', fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

function toOffsetList({ data, total }: OffsetPage<unknown>, { query }: Exchange): object {
  const { page, page_size } = withPageDefaults((query ?? {}) as unknown as OffsetQuery)
  return { object: 'list', total, page, page_size, data }
}

function toCursorList({ data, next }: CursorPage<unknown>, exchange: Exchange, { keyring }: Services): object {
  const next_cursor = next === null ? null : encodeCursor(keyring, cursorScope(exchange), next)
  return { object: 'list', has_more: next !== null, next_cursor, data }
}
