import { type Row, runWithoutResult, type Tx } from '../../../platform/db/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import type { ArticleRow } from './queries.ts'

export type ArticleVersionRow = Omit<Row<'article_versions'>, 'org_id'>

/** Stores the current text of an article as a version. Needs a locked article: version numbers must not have gaps. */
export async function insertVersion(
  tx: Tx,
  orgId: OrgId,
  { id: article_id, version_number, title, language, content }: ArticleRow,
  change_summary: string | null,
  now: string,
): Promise<ArticleVersionRow> {
  const version = { id: newId(), article_id, version_number, title, language, change_summary, created_at: now }
  // Copied by the database, because it may be half a megabyte.
  const stored = tx
    .selectFrom('article_texts')
    .select('content')
    .where('org_id', '=', orgId)
    .where('article_id', '=', article_id)
    .where('language', '=', language)
  await runWithoutResult(tx, tx.insertInto('article_versions').values({ ...version, org_id: orgId, content: stored }))
  return { ...version, content }
}
