import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** Returns those of the chatbots that visitors may see. */
export const selectOpenChatbots = async (db: Db, orgId: OrgId, ids: readonly string[]): Promise<string[]> => {
  const rows = db.selectFrom('chatbots').select('id').where('org_id', '=', orgId).where('id', 'in', ids)
  return (await rows.where('status', '=', 'active').execute()).map(({ id }) => id)
}

export const selectOpenPages = async (db: Db, orgId: OrgId, ids: readonly string[]): Promise<string[]> => {
  const rows = db.selectFrom('pages').select('id').where('org_id', '=', orgId).where('id', 'in', ids)
  return (await rows.where('status', '=', 'active').execute()).map(({ id }) => id)
}

export const selectOpenCentres = async (db: Db, orgId: OrgId, ids: readonly string[]): Promise<string[]> => {
  const rows = db.selectFrom('knowledge_bases').select('id').where('org_id', '=', orgId).where('id', 'in', ids)
  return (await rows.where('is_published', '=', true).execute()).map(({ id }) => id)
}
