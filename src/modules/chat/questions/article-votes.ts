import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { shorten } from './examples.ts'
import { lockGroups, makeRoom } from './groups.ts'
import { insertGroup, type StoredGroup, selectArticleGroup, updateGroup } from './queries.ts'
import { selectArticleVote, storeArticleVote } from './vote-queries.ts'

/** What a visitor of a help centre says about an article. */
export interface ArticleFeedback {
  orgId: OrgId
  articleId: string
  /** The language of the text that the visitor read, and its title. */
  language: ContentLanguage
  title: string
  /** A hash of the visitor, the article and the day. Each has one vote, which can be changed. */
  voteId: string
  isHelpful: boolean
  /** What was missing, in the visitor's words. */
  comment: string | null
  now: string
}

/** The newest ones say enough about what to write. */
const COMMENTS_MAX = 5

/** Stores what a visitor says about an article. */
export async function recordArticleFeedback(tx: Tx, feedback: ArticleFeedback): Promise<void> {
  const groups = await lockGroups(tx, feedback.orgId, feedback.orgId)
  await storeVote(tx, feedback, groups)
  if (feedback.comment !== null && !feedback.isHelpful) await addComment(tx, feedback, feedback.comment)
}

async function storeVote(tx: Tx, feedback: ArticleFeedback, groups: number): Promise<void> {
  const { orgId, articleId, language, voteId, isHelpful, now } = feedback
  const before = await selectArticleVote(tx, orgId, voteId)
  if (before?.is_helpful === isHelpful) return
  if (before !== undefined) {
    const group = await selectArticleGroup(tx, orgId, articleId, before.language)
    const withoutVote = (group: StoredGroup) => ({
      ...votesOf(group, before.is_helpful, -1),
      comments: group.comments.filter(({ vote_id }) => vote_id !== voteId),
    })
    if (group !== undefined) await updateGroup(tx, orgId, group.id, withoutVote(group))
  }
  await addVote(tx, feedback, groups)
  await storeArticleVote(tx, orgId, {
    id: voteId,
    article_id: articleId,
    language,
    is_helpful: isHelpful,
    created_at: now,
  })
}

/** A visitor who writes again replaces what they wrote before. */
async function addComment(
  tx: Tx,
  { orgId, articleId, language, voteId, now }: ArticleFeedback,
  text: string,
): Promise<void> {
  const group = await selectArticleGroup(tx, orgId, articleId, language)
  if (group === undefined) return
  const others = group.comments.filter(({ vote_id }) => vote_id !== voteId)
  const comments = [{ vote_id: voteId, text, created_at: now }, ...others].slice(0, COMMENTS_MAX)
  await updateGroup(tx, orgId, group.id, { comments })
}

async function addVote(tx: Tx, { orgId, articleId, language, title, isHelpful, now }: ArticleFeedback, groups: number) {
  const group = await selectArticleGroup(tx, orgId, articleId, language)
  if (group !== undefined) {
    return updateGroup(tx, orgId, group.id, {
      ...votesOf(group, isHelpful, 1),
      question: shorten(title),
      ...(!isHelpful && { last_asked_at: now }),
    })
  }
  const empty: StoredGroup = {
    id: newId(),
    scope_id: orgId,
    kind: 'article',
    article_id: articleId,
    language,
    question: shorten(title),
    terms: [],
    examples: [],
    comments: [],
    asked_count: 0,
    not_helpful_count: 0,
    helpful_count: 0,
    last_conversation_id: null,
    is_listed: false,
    first_asked_at: now,
    last_asked_at: now,
  }
  await makeRoom(tx, orgId, orgId, groups)
  await insertGroup(tx, orgId, { ...empty, ...votesOf(empty, isHelpful, 1) }, [])
}

function votesOf(group: StoredGroup, isHelpful: boolean, step: 1 | -1) {
  if (isHelpful) return { helpful_count: Math.max(0, group.helpful_count + step) }
  const count = Math.max(0, group.not_helpful_count + step)
  return { not_helpful_count: count, asked_count: count, is_listed: count > 0 }
}
