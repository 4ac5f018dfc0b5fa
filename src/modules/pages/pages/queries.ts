import type { Position } from '../../../platform/contract/pagination.ts'
import {
  columnsExcept,
  compiled,
  type Db,
  insertMissingRows,
  olderThan,
  type Row,
  type Tx,
  unlessTaken,
  withPrefix,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = withPrefix('p', columnsExcept('pages', 'org_id', 'translations'))
export type PageValues = Omit<Row<'pages'>, 'org_id'>
/** What lists show. */
export type PageRow = Omit<PageValues, 'translations'> & { view_count: number }
export type PageRowWithBlocks = PageValues & { view_count: number; blocks: object[] }

const SLUG_KEY = 'pages_org_slug_key'

const byId = compiled((db: Db, orgId: OrgId, id: string) =>
  db
    .selectFrom('pages as p')
    .innerJoin('page_counters as c', 'c.page_id', 'p.id')
    .innerJoin('page_blocks as b', 'b.page_id', 'p.id')
    .select([...COLUMNS, 'p.translations', 'c.view_count', 'b.blocks'])
    .where('p.org_id', '=', orgId)
    .where('p.id', '=', id),
)

export const selectPage = async (db: Db, orgId: OrgId, id: string): Promise<PageRowWithBlocks | undefined> =>
  (await byId(db, orgId, id))[0]

export const selectPages = (
  db: Db,
  orgId: OrgId,
  status: PageRow['status'] | undefined,
  after: Position | undefined,
  limit: number,
): Promise<PageRow[]> =>
  db
    .selectFrom('pages as p')
    .innerJoin('page_counters as c', 'c.page_id', 'p.id')
    .select([...COLUMNS, 'c.view_count'])
    .where('p.org_id', '=', orgId)
    .$if(status !== undefined, (query) => query.where('p.status', '=', status as PageRow['status']))
    .$if(after !== undefined, (query) => query.where(olderThan(after as Position, 'p')))
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(limit)
    .execute()

const bySlug = compiled((db: Db, orgId: OrgId, slug: string) =>
  db.selectFrom('pages').select('id').where('org_id', '=', orgId).where('slug', '=', slug),
)

export const isSlugTaken = async (db: Db, orgId: OrgId, slug: string): Promise<boolean> =>
  (await bySlug(db, orgId, slug)).length > 0

/** Returns false if any page has ever had this public slug. */
export const insertAddress = async (tx: Tx, orgId: OrgId, publicSlug: string, id: string): Promise<boolean> =>
  (await insertMissingRows(tx, 'page_addresses', [{ id: publicSlug, org_id: orgId, page_id: id }])).length > 0

export const insertPage = async (tx: Tx, orgId: OrgId, values: PageValues): Promise<void> => {
  const insert = tx.insertInto('pages').values({ ...values, org_id: orgId })
  await unlessTaken(SLUG_KEY, 'slug', values.slug, insert.execute())
}

/** Returns false if the slug is taken. */
export const insertUnlessSlugTaken = async (tx: Tx, orgId: OrgId, values: PageValues): Promise<boolean> => {
  const inserted = await tx
    .insertInto('pages')
    .values({ ...values, org_id: orgId })
    .onConflict((conflict) => conflict.columns(['org_id', 'slug']).doNothing())
    .returning('id')
    .execute()
  return inserted.length > 0
}

/** The blocks of a new page, and its counters. */
export const insertParts = async (tx: Tx, orgId: OrgId, pageId: string, blocks: object[]): Promise<void> => {
  await tx.insertInto('page_blocks').values({ page_id: pageId, org_id: orgId, blocks }).execute()
  await tx
    .insertInto('page_counters')
    .values({ page_id: pageId, org_id: orgId, view_count: 0, submission_count: 0 })
    .execute()
}

export const updatePageRow = async (tx: Tx, orgId: OrgId, values: PageValues): Promise<void> => {
  const { id, public_slug: _, created_at: __, ...changed } = values
  const update = tx.updateTable('pages').set(changed).where('org_id', '=', orgId).where('id', '=', id)
  await unlessTaken(SLUG_KEY, 'slug', values.slug, update.execute())
}

export const updateBlocks = async (tx: Tx, orgId: OrgId, pageId: string, blocks: object[]): Promise<void> => {
  await tx
    .updateTable('page_blocks')
    .set({ blocks })
    .where('org_id', '=', orgId)
    .where('page_id', '=', pageId)
    .execute()
}

export const deletePageRows = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('page_blocks').where('org_id', '=', orgId).where('page_id', '=', id).execute()
  await tx.deleteFrom('pages').where('org_id', '=', orgId).where('id', '=', id).execute()
}
