import { type Actor, noteCreated, noteUpdated, withAudit } from '../../../platform/audit/index.ts'
import { type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import { type Db, lockRow, lockTotal, type Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { type Context, offsetPage, parsePayload } from '../../../platform/http/index.ts'
import { hashToken, newId, type OrgId, UUID_PATTERN } from '../../../platform/ids/index.ts'
import { changesOf } from '../../../platform/outbox/index.ts'
import { lockTeam } from '../callers/index.ts'
import { type ApiKey, ApiKeyCreate, type ApiKeyUpdate, type ApiKeyWithSecret } from './contract.ts'
import {
  type ApiKeyRow,
  insertKey,
  selectKey,
  selectKeyOf,
  selectKeys,
  selectWorkingKeysOf,
  updateKey,
} from './queries.ts'
import { KEY_PREFIX, newToken } from './token.ts'

const PREFIX_SHOWN = KEY_PREFIX.length + 4
/** Revoked ones included: they answer that they were revoked. */
const KEYS_MAX = 1000

export const listKeys = (ctx: Context, query: OffsetQuery): Promise<OffsetPage<ApiKey>> =>
  offsetPage(ctx, query, {
    totals: ['api_keys'],
    count: undefined,
    rows: (db, limit, offset) => selectKeys(db, ctx.orgId, limit, offset),
    toItem: (row) => toApiKey(row, ctx.now),
  })

export const getKey = async (ctx: Context, id: string): Promise<ApiKey> =>
  toApiKey(await requireKey(ctx.read, ctx.orgId, id), ctx.now)

export const createOwnKey = (ctx: Context, input: ApiKeyCreate): Promise<ApiKeyWithSecret> =>
  ctx.write(async (tx) => createKey(tx, ctx.orgId, input, ctx.now, (await lockTeam(tx, ctx)).authorId))

/** Returns the whole key, which is never available again: only its hash is stored. */
export async function createKey(
  tx: Tx,
  orgId: OrgId,
  input: ApiKeyCreate,
  now: Timestamp,
  createdBy: string | null = null,
): Promise<ApiKeyWithSecret> {
  const { name, expires_at, scopes } = parsePayload(ApiKeyCreate, input)
  const token = newToken()
  const row = await insertKey(tx, orgId, {
    id: newId(),
    name,
    hash: hashToken(token),
    prefix: token.slice(0, PREFIX_SHOWN),
    last_four: token.slice(-4),
    scopes: scopes ?? null,
    created_by: createdBy,
    expires_at: expires_at ? timestamp(toMs(expires_at as Timestamp)) : null,
    paused_at: null,
    revoked_at: null,
    last_used_at: null,
    created_at: now,
  })
  if ((await lockTotal(tx, orgId, 'api_keys')) > KEYS_MAX) {
    throw new ApiError('unprocessable', `An organisation can have at most ${KEYS_MAX} API keys, revoked ones included.`)
  }
  const created = toApiKey(row, now)
  noteCreated(tx, created)
  return { ...created, api_key: token }
}

export const renameKey = (ctx: Context, id: string, { name }: ApiKeyUpdate): Promise<ApiKey> =>
  changeOwnKey(ctx, id, () => (name === undefined ? {} : { name }))

/** Can be undone. Does nothing if the key is already paused. */
export const pauseKey = (ctx: Context, id: string): Promise<ApiKey> => changeOwnKey(ctx, id, pause(ctx.now))

export const resumeKey = (ctx: Context, id: string): Promise<ApiKey> => changeOwnKey(ctx, id, resume)

/** Cannot be undone. */
export const revokeKey = (ctx: Context, id: string): Promise<ApiKey> => changeOwnKey(ctx, id, revoke(ctx.now))

type Change = (row: ApiKeyRow) => Partial<Pick<ApiKeyRow, 'name' | 'paused_at' | 'revoked_at'>>

const pause =
  (now: Timestamp): Change =>
  (row) => ({ paused_at: row.paused_at ?? now })
const resume: Change = () => ({ paused_at: null })
const revoke =
  (now: Timestamp): Change =>
  (row) => ({ revoked_at: row.revoked_at ?? now })

const changeOwnKey = (ctx: Context, id: string, change: Change): Promise<ApiKey> =>
  ctx.write(async (tx) => {
    await lockTeam(tx, ctx)
    await lockRow(tx, ctx.orgId, 'api_keys', id)
    return applyChange(tx, ctx.orgId, await requireKey(tx, ctx.orgId, id), change, ctx.now)
  })

/** Pauses the keys that a person has created. Returns their names. */
export async function pauseKeysOf(tx: Tx, orgId: OrgId, userId: string, now: Timestamp): Promise<string[]> {
  const rows = await selectWorkingKeysOf(tx, orgId, userId, now)
  for (const row of rows) await applyChange(tx, orgId, row, pause(now), now)
  return rows.map(({ name }) => name)
}

/** The command line uses these. Its user is the operator, so the id alone determines the key. */
export const asOperator = {
  list: async (db: Db, orgId: OrgId, now: Timestamp): Promise<ApiKey[]> =>
    (await selectKeys(db, orgId, KEYS_MAX, 0)).map((row) => toApiKey(row, now)),
  pause: (tx: Tx, id: string, actor: Actor, now: Timestamp) => changeKey(tx, id, pause(now), actor, now),
  resume: (tx: Tx, id: string, actor: Actor, now: Timestamp) => changeKey(tx, id, resume, actor, now),
  revoke: (tx: Tx, id: string, actor: Actor, now: Timestamp) => changeKey(tx, id, revoke(now), actor, now),
}

async function changeKey(tx: Tx, id: string, change: Change, actor: Actor, now: Timestamp): Promise<ApiKey> {
  const row = UUID_PATTERN.test(id) ? await selectKey(tx, id.toLowerCase()) : undefined
  if (row === undefined) throw new ApiError('not_found', `There is no API key with the id ${id}.`)
  return withAudit(tx, row.org_id, actor, now, () => applyChange(tx, row.org_id, row, change, now))
}

async function applyChange(tx: Tx, orgId: OrgId, row: ApiKeyRow, change: Change, now: Timestamp): Promise<ApiKey> {
  const requested = change(row)
  const before = toApiKey(row, now)
  const changes = changesOf(before, toApiKey({ ...row, ...requested }, now))
  if (changes === undefined) return before
  const after = toApiKey(await updateKey(tx, orgId, row.id, requested), now)
  noteUpdated(tx, after, changes)
  return after
}

async function requireKey(db: Db, orgId: OrgId, id: string): Promise<ApiKeyRow> {
  const row = await selectKeyOf(db, orgId, id)
  if (row === undefined) throw new ApiError('not_found', 'There is no API key with this id in your organisation.')
  return row
}

function toApiKey(row: ApiKeyRow, now: Timestamp): ApiKey {
  const { id, name, prefix, last_four, scopes, created_by, expires_at, last_used_at, created_at } = row
  return {
    object: 'api_key',
    id,
    name,
    hint: `${prefix}…${last_four}`,
    state: stateOf(row, now),
    scopes: scopes as string[] | null,
    created_by,
    expires_at,
    last_used_at,
    created_at,
  }
}

function stateOf({ revoked_at, expires_at, paused_at }: ApiKeyRow, now: Timestamp): ApiKey['state'] {
  if (revoked_at !== null) return 'revoked'
  if (expires_at !== null && expires_at <= now) return 'expired'
  return paused_at === null ? 'active' : 'paused'
}
