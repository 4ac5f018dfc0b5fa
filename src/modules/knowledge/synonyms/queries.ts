import type { Db, Row, Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export const selectDigest = async (db: Db, orgId: OrgId, knowledgeBaseId: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('knowledge_base_synonyms')
      .select('digest')
      .where('org_id', '=', orgId)
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .executeTakeFirst()
  )?.digest

export const selectSynonyms = (
  db: Db,
  orgId: OrgId,
  knowledgeBaseId: string,
): Promise<Pick<Row<'knowledge_base_synonyms'>, 'groups' | 'digest'> | undefined> =>
  db
    .selectFrom('knowledge_base_synonyms')
    .select(['groups', 'digest'])
    .where('org_id', '=', orgId)
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .executeTakeFirst()

export const upsertGroups = async (
  tx: Tx,
  orgId: OrgId,
  knowledgeBaseId: string,
  values: Pick<Row<'knowledge_base_synonyms'>, 'groups' | 'digest'>,
): Promise<void> => {
  await tx
    .insertInto('knowledge_base_synonyms')
    .values({ ...values, org_id: orgId, knowledge_base_id: knowledgeBaseId })
    .onConflict((conflict) => conflict.column('knowledge_base_id').doUpdateSet(values))
    .execute()
}

export const deleteGroups = async (tx: Tx, orgId: OrgId, knowledgeBaseId: string): Promise<void> => {
  await tx
    .deleteFrom('knowledge_base_synonyms')
    .where('org_id', '=', orgId)
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .execute()
}
