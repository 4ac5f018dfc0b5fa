import { z } from 'zod'
import type { Timestamp } from '../../../platform/clock/index.ts'
import { field } from '../../../platform/contract/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { parsePayload } from '../../../platform/http/index.ts'
import { newId, type OrgId, UUID_PATTERN } from '../../../platform/ids/index.ts'
import { type ApiKeyRow, insertKey, selectKey, selectKeys, updateKey } from './queries.ts'
import { hashToken, KEY_PREFIX, newToken } from './token.ts'

type ApiKeyState = 'active' | 'paused' | 'revoked' | 'expired'

export interface ApiKey {
  id: string
  name: string
  /** The start and end of the key: enough to recognise it, not enough to use it. */
  hint: string
  state: ApiKeyState
  expires_at: string | null
  last_used_at: string | null
  created_at: string
}

const ApiKeyName = z.strictObject({ name: field.name(200) })
const PREFIX_SHOWN = KEY_PREFIX.length + 4

function toApiKey(row: ApiKeyRow, now: Timestamp): ApiKey {
  const { id, name, prefix, last_four, expires_at, last_used_at, created_at } = row
  return {
    id,
    name,
    hint: `${prefix}…${last_four}`,
    state: stateOf(row, now),
    expires_at,
    last_used_at,
    created_at,
  }
}

function stateOf({ revoked_at, expires_at, paused_at }: ApiKeyRow, now: Timestamp): ApiKeyState {
  if (revoked_at !== null) return 'revoked'
  if (expires_at !== null && expires_at <= now) return 'expired'
  return paused_at === null ? 'active' : 'paused'
}

/** Returns the whole key, which is never available again: only its hash is stored. */
export async function createKey(
  tx: Tx,
  orgId: OrgId,
  input: { name: string; expiresAt: Timestamp | null },
  now: Timestamp,
): Promise<ApiKey & { api_key: string }> {
  const { name } = parsePayload(ApiKeyName, { name: input.name })
  const token = newToken()
  const values = {
    id: newId(),
    name,
    hash: hashToken(token),
    prefix: token.slice(0, PREFIX_SHOWN),
    last_four: token.slice(-4),
    expires_at: input.expiresAt,
    paused_at: null,
    revoked_at: null,
    last_used_at: null,
    created_at: now,
  }
  const row = await insertKey(tx, orgId, values)
  return { ...toApiKey(row, now), api_key: token }
}

export const listKeys = async (db: Db, orgId: OrgId, now: Timestamp): Promise<ApiKey[]> =>
  (await selectKeys(db, orgId)).map((row) => toApiKey(row, now))

/** Can be undone. Does nothing if the key is already paused. */
export const pauseKey = (tx: Tx, id: string, now: Timestamp): Promise<ApiKey> =>
  changeKey(tx, id, now, (row) => ({ paused_at: row.paused_at ?? now }))

export const resumeKey = (tx: Tx, id: string, now: Timestamp): Promise<ApiKey> =>
  changeKey(tx, id, now, () => ({ paused_at: null }))

/** Cannot be undone. */
export const revokeKey = (tx: Tx, id: string, now: Timestamp): Promise<ApiKey> =>
  changeKey(tx, id, now, (row) => ({ revoked_at: row.revoked_at ?? now }))

async function changeKey(
  tx: Tx,
  id: string,
  now: Timestamp,
  change: (row: ApiKeyRow) => Partial<Pick<ApiKeyRow, 'paused_at' | 'revoked_at'>>,
): Promise<ApiKey> {
  const row = UUID_PATTERN.test(id) ? await selectKey(tx, id.toLowerCase()) : undefined
  if (row === undefined) throw new ApiError('not_found', `There is no API key with the id ${id}.`)
  const changed = await updateKey(tx, row.org_id as OrgId, row.id, change(row))
  return toApiKey(changed, now)
}
