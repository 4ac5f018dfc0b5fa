import { columnsExcept, compiled, type Db, type Row, type Tx, withPrefix } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('api_keys', 'hash')
export type ApiKeyRow = Row<'api_keys', typeof COLUMNS>
export type CredentialRow = ApiKeyRow & { rate_per_minute: number | null; rate_per_hour: number | null }

/** Takes no organisation, because the key determines it. */
export const selectKeyByHash = (db: Db, hash: string): Promise<CredentialRow | undefined> =>
  db
    .selectFrom('api_keys')
    .innerJoin('organisations', 'organisations.id', 'api_keys.org_id')
    .select(withPrefix('api_keys', COLUMNS))
    .select(['rate_per_minute', 'rate_per_hour'])
    .where('hash', '=', hash)
    .executeTakeFirst()

/** Takes no organisation: the user of the CLI is the operator, not a tenant. */
export const selectKey = (db: Db, id: string): Promise<ApiKeyRow | undefined> =>
  db.selectFrom('api_keys').select(COLUMNS).where('id', '=', id).executeTakeFirst()

export const selectKeyOf = (db: Db, orgId: OrgId, id: string): Promise<ApiKeyRow | undefined> =>
  db.selectFrom('api_keys').select(COLUMNS).where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst()

/** Newest first. */
export const selectKeys = compiled((db: Db, orgId: OrgId, limit: number, offset: number) =>
  db
    .selectFrom('api_keys')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset),
)

export const insertKey = (tx: Tx, orgId: OrgId, values: Omit<Row<'api_keys'>, 'org_id'>): Promise<ApiKeyRow> =>
  tx
    .insertInto('api_keys')
    .values({ ...values, org_id: orgId })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

export const updateKey = (
  tx: Tx,
  orgId: OrgId,
  id: string,
  changes: Partial<Pick<Row<'api_keys'>, 'name' | 'paused_at' | 'revoked_at'>>,
): Promise<ApiKeyRow> =>
  tx
    .updateTable('api_keys')
    .set(changes)
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

/** Their number is limited. */
export const selectWorkingKeysOf = (db: Db, orgId: OrgId, userId: string, now: string): Promise<ApiKeyRow[]> =>
  db
    .selectFrom('api_keys')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('created_by', '=', userId)
    .where('paused_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('id')
    .execute()

/** Updates only if the stored time is older than `dueBefore`: several instances may report the same use. */
export const updateLastUsed = (tx: Tx, orgId: OrgId, id: string, usedAt: string, dueBefore: string) =>
  tx
    .updateTable('api_keys')
    .set({ last_used_at: usedAt })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', dueBefore)]))
    .execute()
