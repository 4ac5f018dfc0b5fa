import type { Tx } from '../../../platform/db/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import type { ArticleRow } from './queries.ts'

interface ArticleVersionsTable {
  id: string
  org_id: string
  article_id: string
  version_number: number
  title: string
  language: string
  change_summary: string | null
  created_at: string
  content: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    article_versions: ArticleVersionsTable
  }
}

export type ArticleVersionRow = Omit<ArticleVersionsTable, 'org_id'>

/** Stores the current text of an article as a version. Needs a locked article: version numbers must not have gaps. */
export async function insertVersion(
  tx: Tx,
  orgId: OrgId,
  { id: article_id, version_number, title, language, content }: ArticleRow,
  change_summary: string | null,
  now: string,
): Promise<ArticleVersionRow> {
  const version = { id: newId(), article_id, version_number, title, language, change_summary, created_at: now, content }
  await tx
    .insertInto('article_versions')
    .values({ ...version, org_id: orgId })
    .execute()
  return version
}
