import { compiled, type Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export const selectObjectFacts = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('objects').select(['name', 'type', 'external_id']).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectProductFacts = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('products').select(['name', 'gtin']).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectCodeFacts = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('qr_codes').select('name').where('org_id', '=', orgId).where('id', '=', id),
)

export const selectObjectName = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('objects').select(['name', 'external_id']).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectProductName = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('products').select(['name', 'gtin as external_id']).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectCodeName = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('qr_codes').select(['name', 'external_id']).where('org_id', '=', orgId).where('id', '=', id),
)
