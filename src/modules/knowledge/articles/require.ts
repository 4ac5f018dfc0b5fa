import type { Db } from '../../../platform/db/index.ts'
import { notFoundOrGone } from '../../../platform/db/tombstones.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type ArticleHead, type ArticleRow, selectArticle, selectHead } from './queries.ts'

/** Returns the article, or throws 404 or 410. */
export async function requireArticle(db: Db, orgId: OrgId, id: string): Promise<ArticleRow> {
  const row = await selectArticle(db, orgId, id)
  if (row === undefined) throw await notFoundOrGone(db, orgId, 'article', id)
  return row
}

/** Does the same as `requireArticle`, but does not read the text. */
export async function requireHead(db: Db, orgId: OrgId, id: string): Promise<ArticleHead> {
  const head = await selectHead(db, orgId, id)
  if (head === undefined) throw await notFoundOrGone(db, orgId, 'article', id)
  return head
}
