import { sql } from 'kysely'
import { columnsExcept, compiled, type Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('article_versions', 'org_id')

const ofArticle = (db: Db, orgId: OrgId, articleId: string) =>
  db.selectFrom('article_versions').select(COLUMNS).where('org_id', '=', orgId).where('article_id', '=', articleId)

export const selectVersions = compiled((db: Db, orgId: OrgId, articleId: string, limit: number, offset: number) =>
  ofArticle(db, orgId, articleId).orderBy('version_number', 'desc').limit(limit).offset(offset),
)

/** Sizes are in the order of `selectVersions`. Both engines know the length of a stored text without reading it. */
export const selectVersionSizes = compiled((db: Db, orgId: OrgId, articleId: string, limit: number, offset: number) =>
  ofArticle(db, orgId, articleId)
    .clearSelect()
    .select(sql<number>`octet_length(content)`.as('bytes'))
    .orderBy('version_number', 'desc')
    .limit(limit)
    .offset(offset),
)

const byNumber = compiled((db: Db, orgId: OrgId, articleId: string, number: number) =>
  ofArticle(db, orgId, articleId).where('version_number', '=', number),
)

export const selectVersion = async (db: Db, orgId: OrgId, articleId: string, number: number) =>
  (await byNumber(db, orgId, articleId, number))[0]
