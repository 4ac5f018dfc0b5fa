import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** The columns of chatbots that this family needs. */
interface ChatbotsTable {
  id: string
  org_id: string
  name: string
  public_slug: string
  status: string
  created_at: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    chatbots: ChatbotsTable
  }
}

export const selectPublicSlug = (
  db: Db,
  orgId: OrgId,
  table: 'chatbots' | 'pages' | 'knowledge_bases',
  id: string,
): Promise<{ public_slug: string } | undefined> =>
  db.selectFrom(table).select('public_slug').where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst()
