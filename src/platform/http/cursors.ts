import type { Position } from '../contract/pagination.ts'
import type { Db } from '../db/index.ts'
import { ApiError } from '../errors/index.ts'
import type { OrgId } from '../ids/index.ts'
import type { Keyring } from '../keyring/index.ts'

/**
 * What a cursor belongs to. Its signature covers this without the cursor carrying it, so that a cursor from
 * another list, organisation or set of filters does not verify.
 */
export interface CursorScope {
  orgId: OrgId
  operationId: string
  filters: object
}

/** Padded base64url over `<generation>.<created_at>.<id>` and its signature; never parsed by anyone else. */
export function encodeCursor(keyring: Keyring, scope: CursorScope, { created_at, id }: Position): string {
  const place = `${created_at}|${id}`
  const { generation, signature } = keyring.sign('cursor', signed(scope, place))
  const bytes = Buffer.from(`${generation}|${place}|${signature.toString('base64url')}`)
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
    const data = signed(scope, `${created_at}|${id}`)
    const bytes = Buffer.from(signature, 'base64url')
    const position = { created_at, id }
    // Base64 has several spellings of the same bytes; only the one that we gave out is ours.
    if (keyring.verify('cursor', Number(generation), data, bytes) && isCanonical(cursor)) return position
  }
  throw new ApiError(
    'invalid_cursor',
    'The cursor is not one that this list gave out. Pass next_cursor verbatim, URL-encoded, with the same filters.',
  )
}

const signed = ({ orgId, operationId, filters }: CursorScope, place: string): string =>
  JSON.stringify([orgId, operationId, Object.entries(filters).sort(), place])

const isCanonical = (cursor: string): boolean =>
  Buffer.from(cursor, 'base64url').toString('base64').replaceAll('+', '-').replaceAll('/', '_') === cursor
