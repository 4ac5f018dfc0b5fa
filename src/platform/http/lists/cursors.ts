import type { Position } from '../../contract/pagination.ts'
import type { Db } from '../../db/index.ts'
import { ApiError } from '../../errors/index.ts'
import type { OrgId } from '../../ids/index.ts'
import type { Keyring } from '../../keyring/index.ts'

/**
 * The list that a cursor belongs to. It is part of the signature but not of the cursor, so a cursor from another list,
 * organisation or set of filters does not verify.
 */
export interface CursorScope {
  orgId: OrgId
  operationId: string
  filters: object
}

export function encodeCursor(keyring: Keyring, scope: CursorScope, { created_at, id }: Position): string {
  const position = `${created_at}|${id}`
  const { generation, signature } = keyring.sign('cursor', signedData(scope, position))
  return toCursor(generation, position, signature)
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
    const position = `${created_at}|${id}`
    const bytes = Buffer.from(signature, 'base64url')
    const isSigned = keyring.verify('cursor', Number(generation), signedData(scope, position), bytes)
    // Base64 can encode the same bytes in several ways. Accept only the one that we issue.
    if (isSigned && toCursor(Number(generation), position, bytes) === cursor) return { created_at, id }
  }
  throw new ApiError(
    'invalid_cursor',
    'The cursor does not belong to this list. Send next_cursor unchanged and URL-encoded, with the same filters.',
  )
}

/** Padded base64url of `<generation>|<created_at>|<id>|<signature>`. Opaque to clients. */
const toCursor = (generation: number, position: string, signature: Buffer): string =>
  Buffer.from(`${generation}|${position}|${signature.toString('base64url')}`)
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_')

const signedData = ({ orgId, operationId, filters }: CursorScope, position: string): string =>
  JSON.stringify([orgId, operationId, Object.entries(filters).sort(), position])
