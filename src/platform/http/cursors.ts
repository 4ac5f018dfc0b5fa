import type { Position } from '../contract/pagination.ts'
import type { Db } from '../db/index.ts'
import { ApiError } from '../errors/index.ts'
import type { OrgId } from '../ids/index.ts'
import type { Keyring } from '../keyring/index.ts'

/**
 * The list that a cursor belongs to. It is part of the signature but not of the cursor, so a cursor from another list,
 * organisation or set of filters does not verify.
 */
export interface CursorScope {
  orgId: OrgId
  operationId: string
  filters: object
}

/** Padded base64url of `<generation>|<created_at>|<id>|<signature>`. Opaque to clients. */
export function encodeCursor(keyring: Keyring, scope: CursorScope, { created_at, id }: Position): string {
  const position = `${created_at}|${id}`
  const { generation, signature } = keyring.sign('cursor', signedData(scope, position))
  const bytes = Buffer.from(`${generation}|${position}|${signature.toString('base64url')}`)
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

export async function decodeCursor(
  keyring: Keyring,
  db: Db,
  nowMs: number,
  scope: CursorScope,
  cursor: string,
): Promise<Position> {
  const [generation, created_at, id, signature, ...rest] = Buffer.from(cursor, 'base64url').toString().split('|')
  if (signature !== undefined && created_at !== undefined && id !== undefined && rest.length === 0) {
    if (keyring.mayBeNew(Number(generation), nowMs)) await keyring.reload(db, nowMs)
    const data = signedData(scope, `${created_at}|${id}`)
    const bytes = Buffer.from(signature, 'base64url')
    const position = { created_at, id }
    // Base64 can encode the same bytes in several ways. Accept only the one that we issue.
    if (keyring.verify('cursor', Number(generation), data, bytes) && isCanonical(cursor)) return position
  }
  throw new ApiError(
    'invalid_cursor',
    'The cursor does not belong to this list. Send next_cursor unchanged and URL-encoded, with the same filters.',
  )
}

const signedData = ({ orgId, operationId, filters }: CursorScope, position: string): string =>
  JSON.stringify([orgId, operationId, Object.entries(filters).sort(), position])

const isCanonical = (cursor: string): boolean =>
  Buffer.from(cursor, 'base64url').toString('base64').replaceAll('+', '-').replaceAll('/', '_') === cursor
