import { sql } from 'kysely'
import {
  columnsExcept,
  compiled,
  type Db,
  insertRows,
  isSqlite,
  type Row,
  runWithoutResult,
  type Tx,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** A way in which visitors put a question. */
export type Example = Row<'question_groups'>['examples'][number]

export const COLUMNS = columnsExcept('question_groups', 'org_id', 'terms', 'last_conversation_id', 'is_listed')
export type GroupRow = Row<'question_groups', typeof COLUMNS>
const STORED = columnsExcept('question_groups', 'org_id')
export type StoredGroup = Row<'question_groups', typeof STORED>

const byId = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('question_groups').select(STORED).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectGroup = async (db: Db, orgId: OrgId, id: string): Promise<StoredGroup | undefined> =>
  (await byId(db, orgId, id))[0]

export const selectArticleGroup = (
  tx: Tx,
  orgId: OrgId,
  articleId: string,
  language: string,
): Promise<StoredGroup | undefined> =>
  tx
    .selectFrom('question_groups')
    .select(STORED)
    .where('org_id', '=', orgId)
    .where('article_id', '=', articleId)
    .where('language', '=', language)
    .executeTakeFirst()

/** Returns the newest groups with each of these keys. */
export async function selectGroupsByKeys(
  tx: Tx,
  orgId: OrgId,
  keys: readonly number[],
  limit: number,
): Promise<Pick<Row<'question_keys'>, 'key' | 'group_id'>[]> {
  const found = isSqlite(tx)
    ? sql<Pick<Row<'question_keys'>, 'key' | 'group_id'>>`
        select "found"."key", "found"."group_id" from json_each(${keys}) as "wanted"
        cross join "question_keys" as "found"
        where "found"."org_id" = ${orgId} and "found"."key" = "wanted"."value" and "found"."group_id" in (
          select "group_id" from "question_keys"
          where "org_id" = ${orgId} and "key" = "wanted"."value" order by "group_id" desc limit ${limit})`
    : sql<Pick<Row<'question_keys'>, 'key' | 'group_id'>>`
        select "found"."key", "found"."group_id" from jsonb_array_elements_text(${keys}) as "wanted"
        cross join lateral (
          select "key", "group_id" from "question_keys"
          where "org_id" = ${orgId} and "key" = "wanted"."value"::bigint order by "group_id" desc limit ${limit}
        ) as "found"`
  return (await found.execute(tx)).rows
}

export const selectTerms = (
  tx: Tx,
  orgId: OrgId,
  ids: readonly string[],
): Promise<Pick<Row<'question_groups'>, 'id' | 'terms'>[]> =>
  tx
    .selectFrom('question_groups')
    .select(['id', 'terms'])
    .where('org_id', '=', orgId)
    .where('id', 'in', [...ids])
    .execute()

export async function insertGroup(tx: Tx, orgId: OrgId, group: StoredGroup, keys: readonly number[]): Promise<void> {
  await insertRows(tx, 'question_groups', [{ ...group, org_id: orgId }])
  await insertRows(
    tx,
    'question_keys',
    keys.map((key) => ({ org_id: orgId, key, group_id: group.id })),
  )
}

export type GroupChange = Partial<
  Pick<
    StoredGroup,
    | 'question'
    | 'examples'
    | 'comments'
    | 'asked_count'
    | 'not_helpful_count'
    | 'helpful_count'
    | 'last_conversation_id'
    | 'is_listed'
    | 'last_asked_at'
    | 'terms'
  >
>

export async function updateGroup(tx: Tx, orgId: OrgId, id: string, change: GroupChange): Promise<void> {
  const group = tx.updateTable('question_groups').set(change).where('org_id', '=', orgId).where('id', '=', id)
  await runWithoutResult(tx, group)
}

/** Deletes a group with its keys. Returns false if it does not exist. */
export async function deleteGroup(tx: Tx, orgId: OrgId, id: string): Promise<boolean> {
  const deletion = tx.deleteFrom('question_groups').where('org_id', '=', orgId).where('id', '=', id)
  return (await deletion.executeTakeFirst()).numDeletedRows > 0n
}

/** The one that was asked least recently, first of those that are not listed. */
export async function selectLeastRecent(tx: Tx, orgId: OrgId, scopeId: string): Promise<string | undefined> {
  for (const isListed of [false, true]) {
    const oldest = tx
      .selectFrom('question_groups')
      .select('id')
      .where('org_id', '=', orgId)
      .where('is_listed', '=', isListed)
      .where('scope_id', '=', scopeId)
      .orderBy('last_asked_at')
      .orderBy('id')
      .limit(1)
    const found = await oldest.executeTakeFirst()
    if (found !== undefined) return found.id
  }
  return undefined
}

/** The groups with an example that was last asked in this conversation. Reads all groups of the chatbot. */
export async function selectGroupsAskedIn(
  db: Db,
  orgId: OrgId,
  scopeId: string,
  conversationId: string,
): Promise<string[]> {
  const examples = isSqlite(db) ? sql<string>`examples` : sql<string>`examples::text`
  const groups = await db
    .selectFrom('question_groups')
    .select('id')
    .where('org_id', '=', orgId)
    .where('scope_id', '=', scopeId)
    .where(sql<boolean>`${examples} like ${`%${conversationId}%`}`)
    .execute()
  return groups.map(({ id }) => id)
}
