import {
  columnsExcept,
  compiled,
  containsFolded,
  type Db,
  deleteAssignments,
  deleteRows,
  foldCase,
  insertRows,
  type Row,
  type Tx,
  whenTaken,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('article_tags', 'org_id', 'name_folded')
export type TagRow = Row<'article_tags', typeof COLUMNS>

const byId = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('article_tags').select(COLUMNS).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectTag = async (db: Db, orgId: OrgId, id: string): Promise<TagRow | undefined> =>
  (await byId(db, orgId, id))[0]

const newestFirst = (db: Db, orgId: OrgId, limit: number, offset: number) =>
  db
    .selectFrom('article_tags')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)

export const selectTags = compiled(newestFirst)

export const searchTags = (db: Db, orgId: OrgId, search: string, limit: number, offset: number): Promise<TagRow[]> =>
  newestFirst(db, orgId, limit, offset).where(containsFolded('name_folded', search)).execute()

export const countTags = async (db: Db, orgId: OrgId, search: string): Promise<number> => {
  const { total } = await db
    .selectFrom('article_tags')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('org_id', '=', orgId)
    .where(containsFolded('name_folded', search))
    .executeTakeFirstOrThrow()
  return total
}

export const insertTag = (tx: Tx, orgId: OrgId, tag: TagRow): Promise<void> =>
  insertRows(
    tx,
    'article_tags',
    [{ ...tag, org_id: orgId, name_folded: foldCase(tag.name) }],
    whenTaken('article_tags_org_name_key', 'name', tag.name),
  )

/** Deletes a tag, after its assignments. */
export async function deleteTagRow(tx: Tx, orgId: OrgId, id: string): Promise<void> {
  await deleteAssignments(tx, orgId, 'article_tag_assignments', 'article_id', id)
  await deleteRows(tx, orgId, 'article_tags', [id])
}
