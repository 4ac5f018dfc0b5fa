import {
  columnsExcept,
  compiled,
  type Db,
  insertMissingRows,
  type Row,
  type Tx,
  unlessTaken,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('knowledge_bases', 'org_id')
export type KnowledgeBaseRow = Row<'knowledge_bases', typeof COLUMNS>

const SLUG_KEY = 'knowledge_bases_org_slug_key'

const byId = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('knowledge_bases').select(COLUMNS).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectKnowledgeBase = async (db: Db, orgId: OrgId, id: string): Promise<KnowledgeBaseRow | undefined> =>
  (await byId(db, orgId, id))[0]

export const selectKnowledgeBases = (
  db: Db,
  orgId: OrgId,
  isPublished: boolean | undefined,
  limit: number,
  offset: number,
): Promise<KnowledgeBaseRow[]> =>
  db
    .selectFrom('knowledge_bases')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .$if(isPublished !== undefined, (query) => query.where('is_published', '=', isPublished as boolean))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const countKnowledgeBases = async (db: Db, orgId: OrgId, isPublished: boolean): Promise<number> => {
  const { count } = await db
    .selectFrom('knowledge_bases')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .where('is_published', '=', isPublished)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const bySlug = compiled((db: Db, orgId: OrgId, slug: string) =>
  db.selectFrom('knowledge_bases').select('id').where('org_id', '=', orgId).where('slug', '=', slug),
)

export const isSlugTaken = async (db: Db, orgId: OrgId, slug: string): Promise<boolean> =>
  (await bySlug(db, orgId, slug)).length > 0

/** Returns false if any knowledge base has ever had this public slug. */
export const insertAddress = async (tx: Tx, orgId: OrgId, publicSlug: string, id: string): Promise<boolean> =>
  (await insertMissingRows(tx, 'knowledge_base_addresses', [{ id: publicSlug, org_id: orgId, knowledge_base_id: id }]))
    .length > 0

export const insertKnowledgeBase = async (tx: Tx, orgId: OrgId, row: KnowledgeBaseRow): Promise<void> => {
  const insert = tx.insertInto('knowledge_bases').values({ ...row, org_id: orgId })
  await unlessTaken(SLUG_KEY, 'slug', row.slug, insert.execute())
}

/** Returns false if the slug is taken. */
export const insertUnlessSlugTaken = async (tx: Tx, orgId: OrgId, row: KnowledgeBaseRow): Promise<boolean> => {
  const inserted = await tx
    .insertInto('knowledge_bases')
    .values({ ...row, org_id: orgId })
    .onConflict((conflict) => conflict.columns(['org_id', 'slug']).doNothing())
    .returning('id')
    .execute()
  return inserted.length > 0
}

export const updateKnowledgeBaseRow = async (tx: Tx, orgId: OrgId, row: KnowledgeBaseRow): Promise<void> => {
  const { id, public_slug: _, created_at: __, ...values } = row
  const update = tx.updateTable('knowledge_bases').set(values).where('org_id', '=', orgId).where('id', '=', id)
  await unlessTaken(SLUG_KEY, 'slug', row.slug, update.execute())
}

export const deleteKnowledgeBaseRow = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('knowledge_bases').where('org_id', '=', orgId).where('id', '=', id).execute()
}
