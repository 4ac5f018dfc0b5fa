import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export const selectPublicSlug = (
  db: Db,
  orgId: OrgId,
  table: 'chatbots' | 'pages' | 'knowledge_bases',
  id: string,
): Promise<{ public_slug: string } | undefined> =>
  db.selectFrom(table).select('public_slug').where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst()
