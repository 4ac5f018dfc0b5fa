import { compiled, type Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export const selectObjectFacts = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('objects').select(['name', 'type', 'external_id']).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectProductFacts = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('products').select(['name', 'gtin']).where('org_id', '=', orgId).where('id', '=', id),
)

/** A product with its first image of at most this size, or with nulls if it has none. */
export const selectShownProduct = compiled((db: Db, orgId: OrgId, id: string, imageBytesMax: number) =>
  db
    .selectFrom('products as p')
    .leftJoin('product_images as i', (join) =>
      join
        .onRef('i.product_id', '=', 'p.id')
        .onRef('i.org_id', '=', 'p.org_id')
        .on('i.size_bytes', '<=', imageBytesMax),
    )
    .select(['p.name', 'i.asset'])
    .where('p.org_id', '=', orgId)
    .where('p.id', '=', id)
    .orderBy('i.sort_order')
    .orderBy('i.id')
    .limit(1),
)

export const selectShownObject = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('objects').select('name').where('org_id', '=', orgId).where('id', '=', id),
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
