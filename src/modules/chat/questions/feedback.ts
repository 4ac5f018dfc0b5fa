import type { Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { findGroup, type Joined, joinGroup, lockGroups } from './groups.ts'
import { deleteGroup, selectGroup, updateGroup } from './queries.ts'
import type { VisitorQuestion } from './visitor-question.ts'
import { type AnswerVote, selectAnswerVote, storeAnswerVote } from './vote-queries.ts'

/** What a visitor says about an answer of a chatbot. `text` is the question that was answered. */
export interface AnswerFeedback extends VisitorQuestion {
  /** The message with the answer. It has one vote, which can be changed. */
  messageId: string
  /** False if the answer was "I don't know", which `recordUnanswered` has counted already. */
  isAnswered: boolean
  isHelpful: boolean
}

/**
 * Stores what a visitor says about an answer. A question whose answer does not help joins those without an answer. Call
 * it in a transaction that made sure that the message is the visitor's.
 */
export async function recordFeedback(tx: Tx, feedback: AnswerFeedback): Promise<void> {
  const { orgId, chatbotId, messageId, isHelpful, now } = feedback
  const groups = await lockGroups(tx, orgId, chatbotId)
  const before = await selectAnswerVote(tx, orgId, messageId)
  if (before?.is_helpful === isHelpful) return
  if (before !== undefined) await takeBack(tx, orgId, before)
  const joined = isHelpful ? await addHelpful(tx, feedback) : await addNotHelpful(tx, feedback, groups)
  await storeAnswerVote(tx, orgId, {
    message_id: messageId,
    group_id: joined?.id ?? null,
    is_helpful: isHelpful,
    is_counted: joined?.isCounted ?? false,
    created_at: now,
  })
}

/** An "I don't know" is in its group already, unless that was deleted. */
const addNotHelpful = (tx: Tx, feedback: AnswerFeedback, groups: number): Promise<Joined | undefined> =>
  joinGroup(tx, feedback, groups, { isAsked: feedback.isAnswered, isNotHelpful: true })

/** Only where others did not get an answer that helps. */
async function addHelpful(tx: Tx, feedback: AnswerFeedback): Promise<Joined | undefined> {
  const group = await findGroup(tx, feedback)
  if (group === undefined) return undefined
  await updateGroup(tx, feedback.orgId, group.id, { helpful_count: group.helpful_count + 1 })
  return { id: group.id, isCounted: false }
}

/** Deletes a group that has nothing but this vote. */
async function takeBack(tx: Tx, orgId: OrgId, vote: AnswerVote): Promise<void> {
  const group = vote.group_id === null ? undefined : await selectGroup(tx, orgId, vote.group_id)
  if (group === undefined) return
  if (vote.is_helpful) return updateGroup(tx, orgId, group.id, { helpful_count: less(group.helpful_count) })
  const asked_count = vote.is_counted ? less(group.asked_count) : group.asked_count
  if (asked_count === 0) await deleteGroup(tx, orgId, group.id)
  else await updateGroup(tx, orgId, group.id, { asked_count, not_helpful_count: less(group.not_helpful_count) })
}

const less = (count: number): number => Math.max(0, count - 1)
