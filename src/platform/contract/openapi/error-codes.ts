import type { ErrorCode, ErrorTable } from '../../errors/index.ts'
import type { Operation } from '../operation.ts'
import type { Json } from './json.ts'

/** Errors of every operation. The query string is validated even where no parameter is declared. */
const ALWAYS: readonly ErrorCode[] = [
  'invalid_query',
  'missing_api_key',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'api_key_paused',
  'forbidden',
  'rate_limited',
  'internal_error',
  'service_unavailable',
]

/** The codes that an operation can return, by status: those that follow from its shape, and those it declares. */
export function errorCodes(
  { declared, params }: Operation,
  queryParameters: readonly Json[],
  errors: ErrorTable,
): Map<number, string[]> {
  const isPost = declared.method === 'POST'
  const inPath = Object.keys(params)
  const own = declared.errors?.map((error) => (typeof error === 'string' ? error : error.code)) ?? []
  const possible = new Set<string>([...ALWAYS, ...own])
  if (inPath.length > 0) possible.add('invalid_id').add('not_found')
  if (inPath.includes('id')) possible.add('gone')
  if (queryParameters.some(isId)) possible.add('invalid_id')
  if (declared.cursor) possible.add('invalid_cursor')
  if (declared.body) possible.add('invalid_json').add('invalid_payload')
  if (isPost) possible.add('invalid_payload').add('idempotency_conflict').add('conflict')

  // Codes are in the order of the table, so that operations with the same codes share one response.
  const byStatus = new Map<number, string[]>()
  for (const [code, { status }] of Object.entries(errors)) {
    if (possible.delete(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  if (possible.size > 0) throw new Error(`missing in the error table: ${[...possible].join(', ')}`)
  if (declared.body ?? declared.upload) byStatus.set(413, ['invalid_payload'])
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}

const isId = ({ schema }: Json): boolean => (schema as Json).format === 'uuid'
