import { ERRORS, type ErrorCode } from '../../errors/index.ts'
import type { Operation } from '../operation.ts'
import type { Json } from './json.ts'

/** What every operation can answer, whatever it does: every query string is checked, even where none is declared. */
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

/** The codes that an operation can answer, by status: those of its shape, and those that it declares itself. */
export function errorCodes(
  { declared, params }: Operation,
  queryParameters: readonly Json[],
): Map<number, ErrorCode[]> {
  const isPost = declared.method === 'POST'
  const inPath = Object.keys(params)
  const possible = new Set<ErrorCode>([...ALWAYS, ...(declared.errors ?? [])])
  if (inPath.length > 0) possible.add('invalid_id').add('not_found')
  if (inPath.includes('id')) possible.add('gone')
  if (queryParameters.some(isId)) possible.add('invalid_id')
  if (declared.cursor) possible.add('invalid_cursor')
  if (declared.body) possible.add('invalid_json').add('invalid_payload')
  if (isPost) possible.add('invalid_payload').add('idempotency_conflict').add('conflict')

  // In the order of the table, so that equal sets are equal lists.
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    if (!possible.has(code)) continue
    const { status } = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  if (declared.body) byStatus.set(413, ['invalid_payload'])
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}

const isId = ({ schema }: Json): boolean => (schema as Json).format === 'uuid'
