import { type Db, type Row, runWithoutResult, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export type AnswerVote = Omit<Row<'answer_votes'>, 'org_id'>
export type ArticleVote = Omit<Row<'article_votes'>, 'org_id'>

export const selectAnswerVote = (db: Db, orgId: OrgId, messageId: string): Promise<AnswerVote | undefined> =>
  db
    .selectFrom('answer_votes')
    .select(['message_id', 'group_id', 'is_helpful', 'is_counted', 'created_at'])
    .where('org_id', '=', orgId)
    .where('message_id', '=', messageId)
    .executeTakeFirst()

export async function storeAnswerVote(tx: Tx, orgId: OrgId, vote: AnswerVote): Promise<void> {
  const { group_id, is_helpful, is_counted } = vote
  const stored = tx
    .insertInto('answer_votes')
    .values({ ...vote, org_id: orgId })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'message_id']).doUpdateSet({ group_id, is_helpful, is_counted }),
    )
  await runWithoutResult(tx, stored)
}

export const selectArticleVote = (db: Db, orgId: OrgId, id: string): Promise<ArticleVote | undefined> =>
  db
    .selectFrom('article_votes')
    .select(['id', 'article_id', 'language', 'is_helpful', 'created_at'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()

export async function storeArticleVote(tx: Tx, orgId: OrgId, vote: ArticleVote): Promise<void> {
  const { language, is_helpful } = vote
  const stored = tx
    .insertInto('article_votes')
    .values({ ...vote, org_id: orgId })
    .onConflict((conflict) => conflict.columns(['org_id', 'id']).doUpdateSet({ language, is_helpful }))
  await runWithoutResult(tx, stored)
}
