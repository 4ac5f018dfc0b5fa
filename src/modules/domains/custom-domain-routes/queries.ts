import { columnsExcept, compiled, type Db, type Row, type Tx, unlessTaken } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('custom_domain_routes', 'org_id')
export type RouteRow = Row<'custom_domain_routes', typeof COLUMNS>

const select = (db: Db, orgId: OrgId) =>
  db.selectFrom('custom_domain_routes').select(COLUMNS).where('org_id', '=', orgId)

const byId = compiled((db: Db, orgId: OrgId, id: string) => select(db, orgId).where('id', '=', id))

export const selectRoute = async (db: Db, orgId: OrgId, id: string): Promise<RouteRow | undefined> =>
  (await byId(db, orgId, id))[0]

const newestFirst = (db: Db, orgId: OrgId, limit: number, offset: number) =>
  select(db, orgId).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset)

export const selectRoutes = compiled(newestFirst)

export const selectRoutesOf = compiled((db: Db, orgId: OrgId, limit: number, offset: number, domainId: string) =>
  newestFirst(db, orgId, limit, offset).where('domain_id', '=', domainId),
)

export const insertRoute = async (tx: Tx, orgId: OrgId, row: RouteRow): Promise<void> => {
  await unlessTaken(
    'custom_domain_routes_domain_slug_key',
    'slug',
    row.slug,
    tx
      .insertInto('custom_domain_routes')
      .values({ ...row, org_id: orgId })
      .execute(),
  )
}

export const updateRouteRow = async (
  tx: Tx,
  orgId: OrgId,
  id: string,
  values: Pick<RouteRow, 'is_default' | 'updated_at'>,
): Promise<void> => {
  await unlessTaken(
    'custom_domain_routes_domain_default_key',
    'is_default',
    values.is_default,
    tx.updateTable('custom_domain_routes').set(values).where('org_id', '=', orgId).where('id', '=', id).execute(),
  )
}

export const deleteRouteRow = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('custom_domain_routes').where('org_id', '=', orgId).where('id', '=', id).execute()
}

export const deleteRoutesOf = (tx: Tx, orgId: OrgId, domainId: string): Promise<RouteRow[]> =>
  tx
    .deleteFrom('custom_domain_routes')
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .returning(COLUMNS)
    .execute()

/** Routes of verified domains, oldest first. Their organisations are known from the domains. */
export const selectShownRoutes = (db: Db, orgIds: readonly OrgId[], domainIds: readonly string[]) =>
  db
    .selectFrom('custom_domain_routes')
    .select(['domain_id', 'slug', 'type', 'target_id', 'public_slug', 'is_default'])
    .where('org_id', 'in', [...orgIds])
    .where('domain_id', 'in', [...domainIds])
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** The routes of all domains of the organisation with one of these slugs. */
export const selectRoutesAt = (db: Db, orgId: OrgId, slugs: readonly string[]) =>
  db
    .selectFrom('custom_domain_routes')
    .select(['domain_id', 'slug', 'type'])
    .where('org_id', '=', orgId)
    .where('slug', 'in', [...slugs])
    .execute()
