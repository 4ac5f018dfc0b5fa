import type { Db, Row, Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** What searches in a knowledge base need to know first: reading the synonyms takes far longer. */
export interface SynonymSettings {
  knowledge_base_id: string
  everyday_synonyms: boolean
  /** Null if the knowledge base has no synonyms of its own. */
  digest: string | null
}

/** Returns the settings of these knowledge bases, or of any of the organisation; the oldest first. */
export const selectSynonymSettings = (
  db: Db,
  orgId: OrgId,
  knowledgeBaseIds: readonly string[] | undefined,
  limit: number,
): Promise<SynonymSettings[]> =>
  db
    .selectFrom('knowledge_bases as bases')
    .leftJoin('knowledge_base_synonyms as synonyms', (join) =>
      join.onRef('synonyms.knowledge_base_id', '=', 'bases.id').onRef('synonyms.org_id', '=', 'bases.org_id'),
    )
    .select(['bases.id as knowledge_base_id', 'bases.everyday_synonyms', 'synonyms.digest'])
    .where('bases.org_id', '=', orgId)
    .$if(knowledgeBaseIds !== undefined, (query) => query.where('bases.id', 'in', [...(knowledgeBaseIds ?? [])]))
    .orderBy('bases.created_at')
    .orderBy('bases.id')
    .limit(limit)
    .execute()

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
