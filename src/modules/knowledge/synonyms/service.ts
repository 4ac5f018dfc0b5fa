import { createHash } from 'node:crypto'
import { noteUpdated } from '../../../platform/audit/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { lockKnowledgeBase, requireKnowledgeBase } from '../knowledge-bases/index.ts'
import type { KnowledgeBaseSynonyms, KnowledgeBaseSynonymsReplace } from './contract.ts'
import { deleteGroups, selectSynonyms, upsertGroups } from './queries.ts'

export async function getSynonyms(ctx: Context, id: string): Promise<KnowledgeBaseSynonyms> {
  await requireKnowledgeBase(ctx.read, ctx.orgId, id)
  return toSynonyms(id, (await selectSynonyms(ctx.read, ctx.orgId, id))?.groups)
}

export function replaceSynonyms(
  ctx: Context,
  id: string,
  { synonyms }: KnowledgeBaseSynonymsReplace,
): Promise<KnowledgeBaseSynonyms> {
  return ctx.write(async (tx) => {
    await lockKnowledgeBase(tx, ctx.orgId, id)
    const before = toSynonyms(id, (await selectSynonyms(tx, ctx.orgId, id))?.groups)
    const groups = JSON.stringify(synonyms)
    if (groups === JSON.stringify(before.synonyms)) return before
    if (synonyms.length === 0) await deleteGroups(tx, ctx.orgId, id)
    else {
      const digest = createHash('sha256').update(groups).digest('base64url')
      await upsertGroups(tx, ctx.orgId, id, { groups, digest })
    }
    noteUpdated(tx, { object: 'knowledge_base', id }, { synonyms: { from: before.synonyms, to: synonyms } })
    return toSynonyms(id, groups)
  })
}

/** The synonyms of a knowledge base. The digest changes with them. */
export interface StoredSynonyms {
  digest: string
  groups: readonly (readonly string[])[]
}

/** Returns undefined if the knowledge base has none. */
export async function findSynonyms(db: Db, orgId: OrgId, knowledgeBaseId: string): Promise<StoredSynonyms | undefined> {
  const stored = await selectSynonyms(db, orgId, knowledgeBaseId)
  return stored && { digest: stored.digest, groups: JSON.parse(stored.groups) as string[][] }
}

const toSynonyms = (id: string, groups: string | undefined): KnowledgeBaseSynonyms => ({
  object: 'knowledge_base_synonyms',
  knowledge_base_id: id,
  synonyms: groups === undefined ? [] : (JSON.parse(groups) as string[][]),
})
